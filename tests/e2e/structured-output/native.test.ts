import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../../../src/spec/json.ts";
import { CLOCK, callBlock, OSLO as OSLO_CALL, WEATHER } from "../../support/clis/call-blocks.ts";
import { openCli } from "../../support/clis/open-cli.ts";
import { plainCli, schemaCli } from "../../support/clis/played-cli.ts";
import { answers, emit, SESSION } from "../../support/clis/plays.ts";
import { correctionIn, expectCalls } from "../../support/runs/host-calls.ts";
import { completeObjects, eventsOf } from "../../support/runs/read-run.ts";
import { readThread } from "../../support/runs/read-thread.ts";
import { expectFailure } from "../../support/runs/run-expectations.ts";

const outputSchema: JsonObject = {
  type: "object",
  properties: { city: { type: "string" }, degrees: { type: "number" } },
  required: ["city", "degrees"],
  additionalProperties: false,
};
const OSLO = { city: "Oslo", degrees: 3.5 };
const BAD: JsonValue = { city: "Oslo", degrees: "cold" };
const prompt = "What is the weather in Oslo?";
const tools = [WEATHER, CLOCK];

describe("a CLI with its own schema option", () => {
  it("gets the unchanged schema and prompt, and its value is the object", async () => {
    const cli = openCli([answers("", { object: OSLO })], schemaCli);
    const result = await (await cli.finish({ prompt, outputSchema })).stream.result();
    expect(result).toMatchObject({ finish: "stop", object: OSLO, warnings: [] });
    expect(await cli.calls()).toEqual([{ prompt, told: { outputSchema } }]);
  });

  it("may report its value piece by piece: only the last piece is validated", async () => {
    const before = [emit({ type: "object-delta", object: {} }), emit({ type: "object-delta", object: { city: "Os" } })];
    const cli = openCli([answers("", { before, object: OSLO })], schemaCli);
    const run = await cli.finish({ prompt, outputSchema });
    expect(await run.stream.result()).toMatchObject({ object: OSLO, warnings: [] });
    expect(cli.starts()).toBe(1);
  });

  it("whose value is invalid is corrected once, and its second value is used", async () => {
    const cli = openCli([answers("", { object: BAD }), answers("", { object: OSLO })], schemaCli);
    const run = await cli.finish({ prompt, outputSchema });
    const result = await run.stream.result();
    expect(result).toMatchObject({ finish: "stop", object: OSLO, usage: { inputTokens: 20 } });
    expect(result.warnings).toMatchObject([{ code: "object-corrected" }]);
    expect(completeObjects(run.events)).toEqual([OSLO]);
    const [, second] = await cli.calls();
    expect(second?.told.outputSchema).toEqual(outputSchema);
    expect(second?.prompt).toMatch(/^\[Correction\]\n.*\n.*degrees.*number/);
  });

  it("whose value is invalid gets it back unchanged", async () => {
    const cli = openCli([answers("", { object: BAD }), answers("", { object: OSLO })], schemaCli);
    await cli.finish({ prompt, outputSchema });
    const [, second] = await cli.calls();
    expect(readThread(second?.prompt ?? "")).toEqual([
      { type: "human", id: "0", text: prompt },
      { type: "ai", id: "1", text: JSON.stringify(BAD) },
    ]);
  });

  it("in a session gets only the problems", async () => {
    const cli = openCli([answers("", { object: BAD }), answers("", { object: OSLO })], schemaCli);
    await cli.finish({ prompt, outputSchema, session: { keep: true } });
    const [, second] = await cli.calls();
    expect(second?.told).toEqual({ outputSchema, session: { resume: SESSION } });
    expect(second?.prompt).toMatch(/^\[Correction\]\n[\s\S]*degrees/);
    for (const old of [prompt, '"cold"', "<thread>"]) expect(second?.prompt).not.toContain(old);
  });

  it.each([
    ["JSON", JSON.stringify(OSLO)],
    ["JSON in a fence", `Here you are:\n\`\`\`json\n${JSON.stringify(OSLO)}\n\`\`\``],
  ])("that answers with %s as text has given the value", async (_what, text) => {
    const cli = openCli([answers(text)], schemaCli);
    const run = await cli.finish({ prompt, outputSchema });
    const result = await run.stream.result();
    expect(result).toMatchObject({ finish: "stop", object: OSLO, warnings: [] });
    expect(JSON.parse(result.text)).toEqual(OSLO);
    expect(completeObjects(run.events)).toEqual([OSLO]);
    expect(cli.starts()).toBe(1);
  });

  it("that answers with prose is corrected once, and its prose is taken back", async () => {
    const cli = openCli([answers("It is cold."), answers("", { object: OSLO })], schemaCli);
    const run = await cli.finish({ prompt, outputSchema });
    expect(await run.stream.result()).toMatchObject({ object: OSLO, warnings: [{ code: "object-corrected" }] });
    const shown = eventsOf(run.events, "text-delta").map(({ messageId }) => messageId);
    expect(eventsOf(run.events, "text-reset").map(({ messageId }) => messageId)).toEqual([shown[0]]);
    const [, second] = await cli.calls();
    expect(second?.told.outputSchema).toEqual(outputSchema);
    expect(second?.prompt).toMatch(/^\[Correction\]\n[\s\S]*It is cold\./);
  });

  it("that answers with prose twice fails with the prose", async () => {
    const cli = openCli([answers("It is cold."), answers("Very cold.")], schemaCli);
    const failure = await expectFailure(await cli.finish({ prompt, outputSchema }), "invalid_response", "schema-mismatch");
    expect(failure.partialText).toBe("Very cold.");
    expect(cli.starts()).toBe(2);
  });

  it("whose value is invalid twice fails", async () => {
    const cli = openCli([answers("", { object: BAD }), answers("", { object: BAD })], schemaCli);
    const run = await cli.finish({ prompt, outputSchema });
    await expectFailure(run, "invalid_response", "schema-mismatch");
    expect(completeObjects(run.events)).toEqual([]);
    const outcome: unknown = await run.stream.result().catch((error: unknown) => error);
    expect(outcome).not.toHaveProperty("result.object");
    expect(cli.starts()).toBe(2);
  });

  it.each<[what: string, schema: JsonObject, value: JsonValue]>([
    ["an array", { type: "array", items: { type: "integer" } }, [1, 2]],
    ["false", { type: "boolean" }, false],
    ["null", { type: "null" }, null],
  ])("may answer with %s", async (_what, schema, value) => {
    const run = await openCli([answers("", { object: value })], schemaCli).finish({ prompt, outputSchema: schema });
    expect((await run.stream.result()).object).toStrictEqual(value);
  });
});

describe.each([
  ["without", plainCli],
  ["with", schemaCli],
])("a schema together with tools, on a CLI %s its own schema option", (_which, provider) => {
  it("goes by text: both are in front of the prompt", async () => {
    const cli = openCli([answers(JSON.stringify(OSLO))], provider);
    await cli.finish({ prompt, tools, outputSchema });
    const [call] = await cli.calls();
    expect(call?.prompt).toMatch(/^\[Available Tools\]\n[\s\S]*"degrees"[\s\S]*\n\n<thread>\n/);
    expect(readThread(call?.prompt ?? "")).toEqual([{ type: "human", id: "0", text: prompt }]);
    expect(call?.told.outputSchema).toBeUndefined();
  });

  it("first a call, which is not an object and not a problem; then, with its result, the object", async () => {
    const cli = openCli([answers(OSLO_CALL), answers(`\`\`\`json\n${JSON.stringify(OSLO)}\n\`\`\``)], provider);
    const asked = await expectCalls(await cli.finish({ prompt, tools, outputSchema }));
    expect(asked).toMatchObject({ hostCalls: [{ name: "get_weather" }], warnings: [] });
    expect(asked).not.toHaveProperty("object");
    const { hostCalls: toolCalls = [] } = asked;
    const run = await cli.finish({
      messages: [
        { role: "user", text: prompt },
        { role: "assistant", text: "", toolCalls },
        { role: "tool", callId: "call_1", text: "3.5 degrees" },
      ],
      tools,
      outputSchema,
    });
    const result = await run.stream.result();
    expect(result).toMatchObject({ finish: "stop", object: OSLO, warnings: [] });
    expect(JSON.parse(result.text)).toEqual(OSLO);
  });

  it("an invalid object is corrected once, and a call may follow", async () => {
    const cli = openCli([answers(JSON.stringify(BAD)), answers(OSLO_CALL)], provider);
    const result = await expectCalls(await cli.finish({ prompt, tools, outputSchema }));
    expect(result.hostCalls).toMatchObject([{ args: { city: "Oslo" } }]);
    expect(result.warnings).toMatchObject([{ code: "object-corrected" }]);
    const [, second] = await cli.calls();
    expect(second?.prompt).toMatch(/^\[Available Tools\]\n/);
    expect(correctionIn(second?.prompt ?? "")).toContain("degrees");
  });

  it("an invalid call is corrected once, and an object may follow", async () => {
    const cli = openCli([answers(callBlock({ name: "get_whether" })), answers(JSON.stringify(OSLO))], provider);
    const result = await (await cli.finish({ prompt, tools, outputSchema })).stream.result();
    expect(result).toMatchObject({ finish: "stop", object: OSLO, warnings: [{ code: "tool-call-corrected" }] });
    expect(result.hostCalls ?? []).toEqual([]);
  });

  it("there is one correction for both: an invalid call and then an invalid object fail", async () => {
    const cli = openCli([answers(callBlock({ name: "get_whether" })), answers(JSON.stringify(BAD))], provider);
    const failure = await expectFailure(await cli.finish({ prompt, tools, outputSchema }), "invalid_response", "schema-mismatch");
    expect(failure.partialText).toBe(JSON.stringify(BAD));
    expect(cli.starts()).toBe(2);
  });

  it("prose is neither a call nor an object", async () => {
    const cli = openCli([answers("It is cold."), answers("It is really cold.")], provider);
    await expectFailure(await cli.finish({ prompt, tools, outputSchema }), "invalid_response", "schema-mismatch");
  });
});
