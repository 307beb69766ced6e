import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createAgent, messagesOf } from "../../src/agent/index.ts";
import { double } from "../support/agents/double.ts";
import { ScriptedModel } from "../support/agents/scripted-model.ts";
import { createClientInScope } from "../support/clis/rehearsal-client.ts";
import { eventsOf } from "../support/runs/read-run.ts";
import { openOwnCli } from "./own-cli.ts";

const CITY = {
  type: "object",
  properties: { name: { type: "string", examples: ["Ulm"] }, people: { type: "integer", examples: [7] } },
  required: ["name", "people"],
  additionalProperties: false,
} as const;
const City = z.object({ name: z.string(), people: z.int().min(1), unit: z.string().default("persons") });
const ULM = { name: "Ulm", people: 7 };

/** What a scripted model was told besides the messages of the thread. */
function systemOf(model: ScriptedModel): string {
  return model.asked[0]?.find(({ type }) => type === "system")?.text ?? "";
}

describe("a structured answer of an agent", () => {
  test("R199 askStructured gives the object of a CLI that takes the schema itself", async () => {
    const agent = createAgent({ model: "cli:rehearsal", client: createClientInScope() });
    const run = agent.askStructured("Where?", CITY, { keepEvents: true });
    const { object, text, events = [] } = await run.result();
    expect(object).toEqual({ name: expect.any(String), people: expect.any(Number) });
    expect(JSON.parse(text)).toEqual(object);
    expect(eventsOf(events, "object-delta").at(-1)?.object).toEqual(object);
  });

  test("R199 a CLI without an option for a schema gets it in the prompt, and its text is the object", async () => {
    const script = 'cat > "$(dirname "$0")/input"; printf \'Sure:\\n\\n```json\\n{"name":"Ulm","people":7}\\n```\\n\'';
    const { client, folder } = openOwnCli(script);
    const { object } = await createAgent({ model: "cli:own", client }).askStructured("Where?", CITY).result();
    expect(object).toEqual(ULM);
    expect(readFileSync(join(folder, "input"), "utf8")).toMatch(/^\[Answer Format\]\n[\s\S]*"people"/);
    expect((await client.run("own", { prompt: "Where?", outputSchema: CITY }).result()).object).toEqual(ULM);
  });

  test("R199 askStructured gives a chat model the schema, reads its fenced answer, and a schema of Zod makes the object", async () => {
    const model = new ScriptedModel(
      [{ name: "double", args: { number: 2 } }],
      `Here:\n\n\`\`\`json\n${JSON.stringify(ULM)}\n\`\`\``,
    );
    const agent = createAgent({ model, tools: [double], instructions: "Be brief." });
    const { object, text, finish } = await agent.askStructured("Where?", City).result();
    expect(object).toEqual({ ...ULM, unit: "persons" });
    expect(object?.people.toFixed(1)).toBe("7.0");
    expect({ finish, text: JSON.parse(text) }).toEqual({ finish: "stop", text: ULM });
    expect(systemOf(model)).toMatch(/^Be brief\.[\s\S]*JSON Schema[\s\S]*"people"/);
  });

  test("R199 an answer that does not match is sent back once, and a second one fails the run", async () => {
    const model = new ScriptedModel('{"name":"Ulm","people":0}', "{}", JSON.stringify(ULM));
    const agent = createAgent({ model });
    const failed = await agent.askStructured("Where?", City).outcome();
    expect(failed.failure).toMatchObject({ code: "schema-mismatch", partialText: "{}" });
    expect(failed.warnings).toMatchObject([{ code: "object-corrected", message: expect.stringContaining("/people") }]);
    expect(model.asked[1]?.at(-1)?.text).toMatch(/could not be used[\s\S]*\/people/);
    const resumed = await agent.resume(failed.thread, {}, { outputSchema: City }).result();
    expect(resumed.object).toEqual({ ...ULM, unit: "persons" });
  });

  test("R199 askWithHistoryStructured answers after a conversation", async () => {
    const model = new ScriptedModel(JSON.stringify(ULM));
    const { object, thread } = await createAgent({ model })
      .askWithHistoryStructured([["human", "I live in Ulm."]], "Where do I live?", CITY)
      .result();
    expect(object).toEqual(ULM);
    expect(messagesOf(thread).map(({ type }) => type)).toEqual(["human", "human", "ai"]);
  });

  test("R199 askWithHistoryStructuredViaTool ends with the first valid call of the tool, whose arguments are the object", async () => {
    const submit = (args: Record<string, unknown>, id: string) => ({ name: "submit_city", args, id });
    const model = new ScriptedModel([submit({ name: "Ulm" }, "1")], [submit(ULM, "2")], "Never asked.");
    const tool = { name: "submit_city", description: "Gives the city", parameters: City };
    const { object, text, finish, toolCalls } = await createAgent({ model, tools: [double], approval: "approve" })
      .askWithHistoryStructuredViaTool([["human", "I live in Ulm."]], "Where do I live?", tool)
      .result();
    expect({ object, finish, text: JSON.parse(text) }).toEqual({
      object: { ...ULM, unit: "persons" },
      finish: "stop",
      text: ULM,
    });
    expect(toolCalls.map(({ name, isError }) => `${name} ${isError}`)).toEqual(["submit_city true", "submit_city false"]);
    expect(model.asked).toHaveLength(2);
    expect(JSON.stringify(model.bound)).toContain("submit_city");
    expect(systemOf(model)).toContain("submit_city");
  });

  test("R199 by tool a CLI gives the object; a model that answers with text is told once to call the tool", async () => {
    const tool = { name: "submit_city", parameters: CITY };
    const client = createClientInScope();
    const cli = createAgent({ model: "cli:rehearsal/tool-caller", client });
    const { object } = await cli.ask("Where?", { outputTool: tool }).result();
    expect(object).toEqual({ name: expect.any(String), people: expect.any(Number) });
    const model = new ScriptedModel("In Ulm.", "As I said.");
    const { failure } = await createAgent({ model }).ask("Where?", { outputTool: tool }).outcome();
    expect(failure).toMatchObject({ code: "schema-mismatch", message: expect.stringContaining("submit_city") });
    expect(model.asked).toHaveLength(2);
  });

  test("R199 a schema that cannot be used fails the run before the model is asked", async () => {
    const model = new ScriptedModel("{}");
    const agent = createAgent({ model, tools: [double] });
    const codeOf = async (context: object): Promise<string | undefined> =>
      (await agent.ask("Where?", context).outcome()).failure?.code;
    expect(await codeOf({ outputSchema: { type: "object", properties: 7 } })).toBe("schema-unreadable");
    expect(await codeOf({ outputSchema: z.date() })).toBe("schema-unreadable");
    expect(await codeOf({ outputTool: { name: "list", parameters: { type: "array" } } })).toBe("schema-unreadable");
    expect(model.asked).toEqual([]);
  });
});

describe("the context of an agent's run", () => {
  test("R199 an unknown or wrong field is refused at once, by every method", () => {
    const agent = createAgent({ model: new ScriptedModel("Hello."), tools: [double] });
    const wrong = { outputSchma: CITY } as object;
    const message = /The context of an agent has no field "outputSchma".*outputSchema/;
    expect(() => agent.ask("Hi.", wrong)).toThrow(message);
    expect(() => agent.askWithHistory([], "Hi.", wrong)).toThrow(message);
    expect(() => agent.resume([], {}, wrong)).toThrow(message);
    expect(() => agent.askStructured("Hi.", CITY, wrong)).toThrow(message);
    expect(() => agent.ask("Hi.", { onPermission: "yes" } as object)).toThrow(/onPermission must be a function/);
    expect(() => agent.ask("Hi.", { outputSchema: "city" } as object)).toThrow(/outputSchema must be/);
    expect(() => agent.ask("Hi.", { outputTool: { name: "" } } as object)).toThrow(/outputTool needs a name and parameters/);
    expect(() => agent.ask("Hi.", { outputTool: { name: "double", parameters: CITY } })).toThrow(/double/);
    expect(() => agent.ask("Hi.", { outputSchema: CITY, outputTool: { name: "a", parameters: CITY } })).toThrow(/not both/);
  });
});
