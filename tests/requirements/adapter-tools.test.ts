import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { describe, expect, test } from "vitest";
import { messagesToPrompt, messagesToXml } from "../../src/adapters/langchain/index.ts";
import { callBlock } from "../support/clis/call-blocks.ts";
import { CLI_NAMES, type CliName, stageCli } from "./adapter-cli.ts";
import { bind, callsOf, failureOf, getWeather, SEARCH_SCHEMA, search } from "./adapter-tools.ts";

const question = [new HumanMessage("Weather in Oslo?")];
const HEADER = "[Available Tools]\n";

/** The prompt of one start with tools, in its four parts. */
async function partsOfPrompt(name: CliName, inputEncoding: "xml" | "text" = "xml") {
  const cli = stageCli(name, "It rains.");
  await bind(cli.adapter({ inputEncoding }), getWeather, search).invoke(question);
  const [prompt = ""] = await cli.prompts();
  const encoded = inputEncoding === "xml" ? messagesToXml(question) : messagesToPrompt(question);
  const end = prompt.indexOf("\n]\n\n") + "\n]".length;
  return {
    prompt,
    head: prompt.slice(0, HEADER.length),
    json: prompt.slice(HEADER.length, end),
    instruction: prompt.slice(end + "\n\n".length, -`\n\n${encoded}`.length),
    isTailTheConversation: prompt.endsWith(`\n\n${encoded}`),
  };
}

describe("tools in the prompt", () => {
  test.for(CLI_NAMES)(
    "R36 R56 the tools stand first, as pretty JSON, then the instruction, then the messages, for %s",
    async (name) => {
      for (const encoding of ["xml", "text"] as const) {
        const { head, json, instruction, isTailTheConversation } = await partsOfPrompt(name, encoding);
        expect(head).toBe(HEADER);
        expect(json).toBe(JSON.stringify(JSON.parse(json), null, 2));
        expect(instruction.trim()).toBe(instruction);
        expect(instruction.length).toBeGreaterThan(40);
        expect(isTailTheConversation).toBe(true);
      }
    },
  );

  test.for(CLI_NAMES)(
    "R36 R37 R56 each tool is its name, its description and its JSON Schema, also when it came from Zod, for %s",
    async (name) => {
      const tools: readonly Record<string, unknown>[] = JSON.parse((await partsOfPrompt(name)).json);
      expect(tools.map((tool) => Object.keys(tool))).toEqual([
        ["name", "description", "parameters"],
        ["name", "description", "parameters"],
      ]);
      expect(tools[0]).toMatchObject({
        name: "get_weather",
        description: "Weather of a city",
        parameters: {
          type: "object",
          properties: { city: { type: "string", description: "Its name" }, unit: { enum: ["celsius", "fahrenheit"] } },
          required: ["city"],
        },
      });
      expect(tools[1]).toMatchObject({ name: "search", description: "Looks for <anything> & more", parameters: SEARCH_SCHEMA });
      expect(JSON.stringify(tools)).not.toMatch(/_def|~standard|"shape"/);
    },
  );

  test("R37 a tool without a schema has empty parameters", async () => {
    const cli = stageCli("claude", "Done.");
    const adapter = cli.adapter();
    await adapter.bindTools?.([{ name: "now" }]).invoke(question);
    const [prompt = ""] = await cli.prompts();
    const tools: unknown = JSON.parse(prompt.slice(HEADER.length, prompt.indexOf("\n]\n\n") + 2));
    expect(tools).toMatchObject([{ name: "now", parameters: {} }]);
  });

  test.for(CLI_NAMES)(
    "R38 R57 the instruction to %s shows the block and states when to answer with it and when with text",
    async (name) => {
      const { instruction } = await partsOfPrompt(name);
      expect(instruction).toContain("```json");
      expect(instruction).toMatch(
        /\{\s*"mark"\s*:\s*"[a-z2-9]{12}"\s*,\s*"tool_calls"\s*:\s*\[\s*\{\s*"name"\s*:.*"args"\s*:.*"id"\s*:.*\]\s*\}/s,
      );
      expect(instruction).toMatch(/\bonly\b/i);
      expect(instruction).toMatch(
        /\b(?:plain|ordinary|normal)\b[^.]*\btext\b|\btext\b[^.]*\botherwise\b|\botherwise\b[^.]*\btext\b/i,
      );
      expect(instruction).toMatch(/independent|several|multiple|more than one/i);
      expect(instruction).toMatch(/\barray\b|\blist\b/i);
    },
  );

  test("R63 R7 both CLIs get the same prompt", async () => {
    const [claude, codex] = [await partsOfPrompt("claude"), await partsOfPrompt("codex")];
    expect(claude.prompt).toBe(codex.prompt);
  });
});

describe("bindTools", () => {
  test.for(CLI_NAMES)("R42 R39 bindTools gives a new adapter of %s; the original has no tools", async (name) => {
    const cli = stageCli(name, "Fine.");
    const original = cli.adapter();
    const withTools = bind(original, getWeather);
    expect(withTools).not.toBe(original);
    await original.invoke(question);
    await withTools.invoke(question);
    const [plain, offered] = await cli.prompts();
    expect(plain).toBe(messagesToXml(question));
    expect(offered).toContain('"name": "get_weather"');
  });

  test("R42 two users of one adapter do not see each other's tools", async () => {
    const cli = stageCli("claude", "Fine.");
    const shared = cli.adapter();
    const [first, second] = [bind(shared, getWeather), bind(shared, search)];
    await first.invoke(question);
    await second.invoke(question);
    const prompts = await cli.prompts();
    expect(prompts.map((prompt) => [prompt.includes('"get_weather"'), prompt.includes('"search"')])).toEqual([
      [true, false],
      [false, true],
    ]);
  });
});

describe("calls in an answer", () => {
  const answer = callBlock({ name: "get_weather", args: { city: "Oslo" }, id: "call_abc" });

  test.for(CLI_NAMES)("R41 R59 R39 without bound tools an answer of %s is text, whatever it looks like", async (name) => {
    const message = await stageCli(name, answer).adapter().invoke(question);
    expect(message).toBeInstanceOf(AIMessage);
    expect(message.content).toBe(answer);
    expect(message.tool_calls).toEqual([]);
  });

  test.for(CLI_NAMES)(
    "R59 R41 a tool that is not bound is no call: %s gets one correction, and then the answer is refused",
    async (name) => {
      const cli = stageCli(name, callBlock({ name: "delete_file", args: { path: "/" }, id: "call_1" }));
      const failure = await failureOf(bind(cli.adapter(), getWeather).invoke(question));
      expect(failure).toMatchObject({ category: "invalid_response", code: "tool-call-unreadable" });
      const prompts = await cli.prompts();
      expect(prompts).toHaveLength(2);
      expect(prompts[1]).toContain("delete_file");
    },
  );

  test.for(CLI_NAMES)("R59 after the correction %s may call a tool that is bound", async (name) => {
    const cli = stageCli(name, callBlock({ name: "weather", args: { city: "Oslo" }, id: "call_1" }), answer);
    const message = await bind(cli.adapter(), getWeather).invoke(question);
    expect(callsOf(message)).toEqual([{ name: "get_weather", args: { city: "Oslo" }, id: "call_abc" }]);
  });

  test.for(CLI_NAMES)("R40 R61 R63 the calls of %s are tool_calls, and the text around them the content", async (name) => {
    const cli = stageCli(name, `I look it up.\n\n${answer}\n\nOne moment.\n`);
    const message = await bind(cli.adapter(), getWeather).invoke(question);
    expect(message).toBeInstanceOf(AIMessage);
    expect(message.content).toBe("I look it up.\n\nOne moment.");
    expect(callsOf(message)).toEqual([{ name: "get_weather", args: { city: "Oslo" }, id: "call_abc" }]);
  });

  test.for(CLI_NAMES)(
    "R40 R61 R63 several calls of %s come in order; without text around them the content is empty",
    async (name) => {
      const calls = ["Oslo", "Rome", "Oslo"].map((city, index) => ({
        name: "get_weather",
        args: { city },
        id: `call_${index + 7}`,
      }));
      const message = await bind(stageCli(name, callBlock(...calls)).adapter(), getWeather).invoke(question);
      expect(message.content).toBe("");
      expect(callsOf(message)).toEqual(calls);
    },
  );

  test.for(CLI_NAMES)("R40 R61 an answer of %s without calls is trimmed text with an empty list of calls", async (name) => {
    const cli = stageCli(name, "\n  It rains.\n    It snows.  \n\n");
    for (const adapter of [bind(cli.adapter(), getWeather), cli.adapter()]) {
      const message = await adapter.invoke(question);
      expect(message.content).toBe("It rains.\n    It snows.");
      expect(message.tool_calls).toEqual([]);
    }
  });
});
