import { registerHooks } from "node:module";
import { AIMessage } from "@langchain/core/messages";
import { describe, expect, onTestFinished, test } from "vitest";
import { createCliProvider, type ModelAdapter } from "../../src/adapters/langchain/index.ts";
import { agentTool, createAgent } from "../../src/agent/index.ts";
import { ScriptedModel } from "../support/agents/scripted-model.ts";
import { createClientInScope } from "../support/clis/rehearsal-client.ts";

const weather = agentTool<{ readonly city: string }>({
  name: "get_weather",
  parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  run: ({ city }) => `Rain in ${city}`,
});

/** The text of a run with the question Hello. */
async function answerOf(options: Parameters<typeof createAgent>[0]): Promise<string> {
  return (await createAgent(options).ask("Hello there").result()).text;
}

/** LangChain finds this module in place of the package of a vendor, which is not installed. */
function installVendor(name: string, source: string): void {
  const url = `data:text/javascript,${encodeURIComponent(source)}`;
  const hooks = registerHooks({
    resolve: (specifier, context, next) => (specifier === name ? { url, shortCircuit: true } : next(specifier, context)),
  });
  onTestFinished(() => hooks.deregister());
}

describe("the model of an agent", () => {
  test("R45 an agent takes a chat model, an adapter or a name", async () => {
    const client = createClientInScope();
    expect(await answerOf({ model: new ScriptedModel("A chat model.") })).toBe("A chat model.");
    expect(await answerOf({ model: { invoke: async () => new AIMessage("An adapter.") } })).toBe("An adapter.");
    expect(await answerOf({ model: createCliProvider("rehearsal", { warm: false }) })).toContain("rehearsal CLI");
    expect(await answerOf({ model: "cli:rehearsal/friendly", client })).toContain("rehearsal CLI");
  });

  test("R46 a name goes to initChatModel of LangChain once, and its model is used again", async () => {
    installVendor(
      "@langchain/ollama",
      `let made = 0;
       export class ChatOllama {
         constructor({ model }) { this.model = model; this.number = ++made; }
         _generate() {}
         async *stream() {
           const { AIMessageChunk } = await import("${import.meta.resolve("@langchain/core/messages")}");
           yield new AIMessageChunk(this.model + " " + this.number);
         }
       }`,
    );
    const agent = createAgent({ model: "ollama:tiny" });
    const { text } = await agent.ask("Hello").result();
    expect(text).toMatch(/^tiny \d$/);
    expect(await agent.ask("Hello").result()).toMatchObject({ text, provider: "ollama", model: "tiny" });
  });

  test("R46 a name that LangChain does not know fails the run and says how a CLI is named", async () => {
    const { failure } = await createAgent({ model: "claude-sonnett" }).ask("Hello").outcome();
    expect(failure).toMatchObject({ code: "provider-unknown", hint: expect.stringContaining('"cli:claude/sonnet"') });
  });

  test("R46 R174 cli: names a provider of the client by its id or an alias, with its model", async () => {
    const client = createClientInScope();
    const models = ["cli:claude/sonnet", "cli:claude-code/sonnet"];
    const outcomes = await Promise.all(
      models.map((model) => createAgent({ model, client }).ask("Hello", { keepEvents: true }).outcome()),
    );
    for (const { failure, model } of outcomes) {
      expect(failure).toMatchObject({ code: "cli-missing", message: expect.stringContaining("Claude Code") });
      expect(model).toBe("sonnet");
    }
  });

  test("R46 a chat model and an adapter are used as they are", async () => {
    const model = new ScriptedModel("Hello.");
    await createAgent({ model }).ask("Hello").result();
    expect(model.asked).toHaveLength(1);
  });

  test("R47 the loop of createAgent runs the tools of an adapter that has no bindTools", async () => {
    const adapter: ModelAdapter = {
      invoke: async (messages) => {
        const last = messages.at(-1);
        if (last?.type === "tool") return new AIMessage(`It is: ${last.text}`);
        return new AIMessage({ content: "", tool_calls: [{ name: "get_weather", args: { city: "Oslo" }, id: "a" }] });
      },
    };
    expect(await answerOf({ model: adapter, tools: [weather] })).toBe("It is: Rain in Oslo");
  });
});
