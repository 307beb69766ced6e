import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { claude } from "../../../src/clis/claude/provider.ts";
import { codex } from "../../../src/clis/codex/provider.ts";
import { defineTool, RunError, type RunInput, type RunStream } from "../../../src/index.ts";
import { defineProvider, type Provider } from "../../../src/provider.ts";
import type { JsonObject } from "../../../src/spec/json.ts";
import { callBlock } from "../../support/clis/call-blocks.ts";
import { openCli, type ScriptedCli } from "../../support/clis/open-cli.ts";
import { plainCli, schemaCli } from "../../support/clis/played-cli.ts";
import { answers, emit } from "../../support/clis/plays.ts";
import { expectCalls } from "../../support/runs/host-calls.ts";
import { completeObjects, eventsOf } from "../../support/runs/read-run.ts";

const prompt = "Which cities?";
const strictCli = withSchemasOf(claude);
const closedCli = withSchemasOf(codex);

/** A CLI that takes the same schemas as another one. */
function withSchemasOf({ schemaDialect = { root: "any" } }: Provider): Provider {
  return defineProvider({ ...schemaCli, schemaDialect });
}

/** The run of a request with the schema of a library. */
function runInput<Output>(cli: ScriptedCli, request: RunInput<Output>) {
  return cli.client.run("plain", request);
}

describe("a CLI that takes only some schemas", () => {
  const outputSchema: JsonObject = { type: "array", items: { type: "string", format: "email" } };
  const mails = ["a@b.org"];

  it("gets a list wrapped and without formats; object and text are the list itself", async () => {
    const cli = openCli([answers(JSON.stringify({ value: mails }), { object: { value: mails } })], strictCli);
    const run = await cli.finish({ prompt, outputSchema });
    const result = await run.stream.result();
    expect(result).toMatchObject({ object: mails, text: '["a@b.org"]', warnings: [] });
    expect(completeObjects(run.events)).toEqual([mails]);
    expect(eventsOf(run.events, "text-reset")).toEqual([]);
    const [call] = await cli.calls();
    expect(call?.told.outputSchema).toMatchObject({
      type: "object",
      properties: { value: { type: "array" } },
      required: ["value"],
    });
    expect(JSON.stringify(call?.told.outputSchema)).not.toContain('"format"');
  });

  it("is corrected if its value does not have the format", async () => {
    const wrong = answers("", { object: { value: ["a"] } });
    const cli = openCli([wrong, answers("", { object: { value: mails } })], strictCli);
    const result = await (await cli.finish({ prompt, outputSchema })).stream.result();
    expect(result).toMatchObject({
      object: mails,
      warnings: [{ code: "object-corrected", message: expect.stringContaining("/0") }],
    });
  });

  it("gets a schema of which it takes nothing in the prompt", async () => {
    const cli = openCli([answers('{"a":1}')], closedCli);
    const result = await (await cli.finish({ prompt, outputSchema: { type: "object" } })).stream.result();
    expect(result.object).toEqual({ a: 1 });
    const [call] = await cli.calls();
    expect(call?.told.outputSchema).toBeUndefined();
    expect(call?.prompt).toContain("[Answer Format]");
  });

  it("that refuses its schema all the same gets it in the prompt, once, with a warning", async () => {
    const refuses = answers("", { end: { finish: "error", fault: { message: "no such keyword", kind: "schema" } } });
    const provider = { ...strictCli, faults: [{ kind: "schema", code: "schema-unreadable" }] as const };
    const cli = openCli([refuses, answers('["a@b.org"]')], provider);
    const result = await (await cli.finish({ prompt, outputSchema })).stream.result();
    expect(result).toMatchObject({ object: mails, warnings: [{ code: "schema-by-text" }] });
    const [first, second] = await cli.calls();
    expect([first?.told.outputSchema, second?.told.outputSchema]).toEqual([expect.anything(), undefined]);
    expect(second?.prompt).toContain('"format": "email"');
  });

  it("may say null for a key that is optional, and nothing else changes", async () => {
    const schema = z.object({
      a: z.string(),
      b: z.number().optional(),
      c: z.string().nullable(),
      d: z.array(z.object({ e: z.int().optional() })),
    });
    const given = { a: "x", b: null, c: null, d: [{ e: null }, { e: 1 }] };
    const cli = openCli([answers(JSON.stringify(given), { object: given })], closedCli);
    const result = await runInput(cli, { prompt, outputSchema: schema }).result();
    expect(result.object).toEqual({ a: "x", c: null, d: [{}, { e: 1 }] });
    expect(JSON.parse(result.text)).toEqual(result.object);
  });

  it("shows its earlier texts and the text of a failed run, and takes back those that were corrected", async () => {
    const before = [
      emit({ type: "text-delta", messageId: "first", text: "I look." }),
      emit({ type: "text-end", messageId: "first" }),
    ];
    const cli = openCli([answers("It is a@b.com.", { before }), answers("It is a@b.org.", { before })], strictCli);
    const run = await cli.finish({ prompt, outputSchema });
    const texts = eventsOf(run.events, "text-delta");
    expect(texts.map(({ text }) => text)).toEqual(["I look.", "It is a@b.com.", "I look.", "It is a@b.org."]);
    const reset = eventsOf(run.events, "text-reset").map(({ messageId }) => messageId);
    expect(reset).toEqual(texts.slice(0, 2).map(({ messageId }) => messageId));
    expect(run.end.failure).toMatchObject({ code: "schema-mismatch", partialText: expect.stringContaining("It is a@b.org.") });
  });
});

describe("a default means the same everywhere", () => {
  const schema = z.object({ city: z.string(), unit: z.string().default("C") });
  const filled = { city: "Oslo", unit: "C" };
  const json = z.toJSONSchema(schema, { io: "input" }) as JsonObject;

  it.each<[what: string, provider: Provider, outputSchema: RunInput["outputSchema"]]>([
    ["by text, of a JSON Schema", plainCli, json],
    ["by text, of Zod", plainCli, schema],
    ["by the CLI's option, of a JSON Schema", schemaCli, json],
    ["by the CLI's option, of Zod", schemaCli, schema],
  ])("in an object %s", async (_what, provider, outputSchema) => {
    const object = { city: "Oslo" };
    const cli = openCli([answers(JSON.stringify(object), provider === plainCli ? {} : { object })], provider);
    expect((await runInput(cli, { prompt, ...(outputSchema && { outputSchema }) }).result()).object).toEqual(filled);
  });

  it("in the arguments of a call", async () => {
    const cli = openCli([answers(callBlock({ name: "get_weather", args: { city: "Oslo" } }))]);
    const tools = [defineTool({ name: "get_weather", schema })];
    const { hostCalls } = await expectCalls(await cli.finish({ prompt, tools }));
    expect(hostCalls).toMatchObject([{ args: filled }]);
  });
});

describe("the schema of a library", () => {
  const schema = z.object({
    day: z.iso.date().transform((day) => new Date(day)),
    city: z.string().refine((city) => city !== "Ulm", "not Ulm"),
  });

  it("decides, and its output is the object; events hold JSON", async () => {
    const cli = openCli([answers('{"day":"2026-02-28","city":"Oslo"}')]);
    const stream = runInput(cli, { prompt, outputSchema: schema });
    const events = [];
    for await (const event of stream) events.push(event);
    const result = await stream.result();
    expect(result.object).toEqual({ day: new Date("2026-02-28"), city: "Oslo" });
    expectTypeOf(result.object).toEqualTypeOf<{ day: Date; city: string } | undefined>();
    expect(completeObjects(events)).toEqual([{ day: "2026-02-28", city: "Oslo" }]);
    expect((await stream.outcome()).object).toBe(result.object);
  });

  it("sends an answer back that its refinement refuses", async () => {
    const cli = openCli([answers('{"day":"2026-02-28","city":"Ulm"}'), answers('{"day":"2026-02-28","city":"Oslo"}')]);
    const result = await runInput(cli, { prompt, outputSchema: schema }).result();
    expect(result).toMatchObject({ object: { city: "Oslo" }, warnings: [{ code: "object-corrected" }] });
    expect((await cli.calls())[1]?.prompt).toContain("/city: not Ulm");
  });

  it("that never matches ends with a mismatch", async () => {
    const cli = openCli([answers('{"day":1}'), answers('{"day":1}')]);
    const outcome = await runInput(cli, { prompt, outputSchema: schema }).outcome();
    expect(outcome.failure).toMatchObject({ code: "schema-mismatch", message: expect.stringContaining("/day") });
    expect(outcome).not.toHaveProperty("object");
  });

  it("may validate later", async () => {
    const later = z.object({ city: z.string().refine(async (city) => city === "Oslo") });
    const cli = openCli([answers('{"city":"Oslo"}')]);
    expect((await runInput(cli, { prompt, outputSchema: later }).result()).object).toEqual({ city: "Oslo" });
  });

  it.each<[what: string, schema: RunInput["outputSchema"], message: RegExp]>([
    ["a date inside", z.object({ a: z.array(z.object({ when: z.date() })) }), /\/properties\/a\/items\/properties\/when: Date/],
    ["a map", z.object({ m: z.map(z.string(), z.string()) }), /\/properties\/m: Map/],
    [
      "a library without JSON Schema",
      { "~standard": { vendor: "other", version: 1, validate: () => ({ value: 1 }) } },
      /other cannot give/,
    ],
    ["a schema that contains itself", circle(), /circular/i],
  ])("%s is refused with the place, and plan() gives the same failure", async (_what, outputSchema, message) => {
    const cli = openCli([answers("{}")]);
    const request = { prompt, ...(outputSchema && { outputSchema }) };
    const { failure } = await runInput(cli, request).outcome();
    expect(failure).toMatchObject({ category: "validation", code: "schema-unreadable", message: expect.stringMatching(message) });
    expect(cli.client.plan("plain", request)).toEqual({ failure });
    expect(cli.starts()).toBe(0);
  });

  it("a JSON Schema that Zod wrote is a JSON Schema, and has the type of its output", async () => {
    const cli = openCli([answers('{"city":"Oslo"}')]);
    const result = await runInput(cli, { prompt, outputSchema: z.toJSONSchema(z.object({ city: z.string() })) }).result();
    expect(result.object).toEqual({ city: "Oslo" });
    expectTypeOf(result.object).toEqualTypeOf<{ city: string } | undefined>();
  });

  it("a JSON Schema of any type is taken, and gives any JSON value", () => {
    interface Foreign {
      readonly type?: "object" | "array";
      readonly properties?: { readonly [name: string]: Foreign };
    }
    const foreign: Foreign = { type: "object", properties: { a: { type: "array" } } };
    const { client } = openCli([]);
    const [plain, typed] = [{ type: "object", properties: {} }, foreign].map((outputSchema) =>
      client.plan("plain", { prompt, outputSchema }),
    );
    expect([plain, typed]).toMatchObject([{ plan: {} }, { plan: {} }]);
    const run = () => client.run("plain", { prompt, outputSchema: foreign });
    expectTypeOf(run).returns.toEqualTypeOf<RunStream>();
  });
});

/** A schema that JSON cannot hold. */
function circle(): RunInput["outputSchema"] {
  const schema: Record<string, unknown> = { type: "object" };
  schema["properties"] = { self: schema };
  return schema;
}

describe("an unusable schema is named with the place of its mistake", () => {
  it.each<[what: string, request: Omit<RunInput, "prompt" | "messages">, message: RegExp]>([
    [
      "one of two tools",
      { tools: [{ name: "good" }, { name: "bad", parameters: { properties: { a: { type: "strin" } } } }] },
      /^The schema of the tool bad cannot be used: \/properties\/a\/type: "strin" is not one of/,
    ],
    [
      "an output schema",
      { outputSchema: { items: { $ref: "#/no" } } },
      /^The output schema cannot be used: \/items\/\$ref: #\/no leads to nothing$/,
    ],
  ])("%s", async (_what, request, message) => {
    const cli = openCli([answers("{}")]);
    const error: unknown = await runInput(cli, { ...request, prompt })
      .result()
      .catch((thrown: unknown) => thrown);
    if (!RunError.is(error)) throw new Error("the run did not fail");
    expect(error.failure).toMatchObject({ code: "schema-unreadable", message: expect.stringMatching(message) });
  });

  it("a pattern that JavaScript accepts only without u is used", async () => {
    const parameters = { type: "object", properties: { id: { type: "string", pattern: "^[\\w-.]+$" } } };
    const cli = openCli([answers(callBlock({ name: "find", args: { id: "a-b.c" } }))]);
    expect((await expectCalls(await cli.finish({ prompt, tools: [{ name: "find", parameters }] }))).hostCalls).toHaveLength(1);
  });
});
