import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../../../src/spec/json.ts";
import type { Message } from "../../../src/spec/message.ts";
import { openCli } from "../../support/clis/open-cli.ts";
import { answers, FOREVER, SESSION } from "../../support/clis/plays.ts";
import { correctionIn, shownMessages } from "../../support/runs/host-calls.ts";
import { completeObjects, eventsOf, type FinishedRun } from "../../support/runs/read-run.ts";
import { readThread } from "../../support/runs/read-thread.ts";
import { expectFailure } from "../../support/runs/run-expectations.ts";

const SCHEMA: JsonObject = {
  type: "object",
  properties: { city: { type: "string" }, degrees: { type: "number" } },
  required: ["city", "degrees"],
  additionalProperties: false,
};
const OSLO = { city: "Oslo", degrees: 3.5 };
const GOOD = JSON.stringify(OSLO);
const BAD = '{"city":"Oslo","degrees":"cold"}';
const messages: readonly Message[] = [
  { role: "user", text: "Hello" },
  { role: "assistant", text: "Hello to you." },
  { role: "user", text: "What is the weather in Oslo?" },
];
const request = { messages, outputSchema: SCHEMA } as const;

describe("a structured answer by text", () => {
  it.each<[how: string, text: string]>([
    ["alone", GOOD],
    ["in a fence", `\`\`\`json\n${GOOD}\n\`\`\``],
    ["in a fence among prose", `Here you are:\n\n\`\`\`json\n${GOOD}\n\`\`\`\n\nGood luck.`],
    ["bare among prose", `Here you are:\n\n${GOOD}\n\nGood luck.`],
    ["slightly broken", "{city: 'Oslo', 'degrees': 3.5,}"],
  ])("%s gives its object, and the text is the JSON", async (_how, text) => {
    const cli = openCli([answers(text, { pieces: [...text] })]);
    await expectObject(await cli.finish(request), OSLO);
    expect(cli.starts()).toBe(1);
  });

  it.each<[root: string, outputSchema: JsonObject, value: JsonValue]>([
    ["an array", { type: "array", items: { type: "integer" } }, [1, 2, 3]],
    ["an empty array", { type: "array" }, []],
    ["a string", { type: "string" }, "It is cold."],
    ["an empty string", { type: "string" }, ""],
    ["a number", { type: "number" }, 0],
    ["a boolean", { type: "boolean" }, false],
    ["null", { type: "null" }, null],
  ])("may be %s at its root", async (_root, outputSchema, value) => {
    await expectObject(await openCli([answers(JSON.stringify(value))]).finish({ messages, outputSchema }), value);
  });

  it.each([
    [
      "draft-07",
      { $schema: "http://json-schema.org/draft-07/schema#", type: "array", items: [{ type: "string" }], additionalItems: false },
    ],
    [
      "2020-12",
      { $schema: "https://json-schema.org/draft/2020-12/schema", type: "array", prefixItems: [{ type: "string" }], items: false },
    ],
  ])("is validated by the rules of %s if the schema names it", async (_draft, outputSchema) => {
    const run = await openCli([answers('["Oslo", "Bergen"]'), answers('["Oslo"]')]).finish({ messages, outputSchema });
    expect(await expectObject(run, ["Oslo"])).toHaveLength(1);
  });

  it("shows no text and no complete object before it is validated", async () => {
    const cli = openCli([answers("", { pieces: ["Here you are:\n\n", GOOD, "\n\nGood luck."], after: [FOREVER] })]);
    const run = await cli.finish({ ...request, timeouts: { totalMs: 4_000 } });
    await expectFailure(run, "timeout", "total-timeout");
    expect(eventsOf(run.events, "session-start")).toHaveLength(1);
    expect(eventsOf(run.events, "text-delta")).toEqual([]);
    expect(completeObjects(run.events)).toEqual([]);
  });

  it("is demanded in front of the conversation", async () => {
    const cli = openCli([answers(GOOD)]);
    await cli.finish(request);
    const [call] = await cli.calls();
    const front = call?.prompt.slice(0, call.prompt.indexOf("<thread>")) ?? "";
    expect(front).toContain('"additionalProperties": false');
    expect(front).toMatch(/JSON/);
    expect(readThread(call?.prompt ?? "").map(({ text }) => text)).toEqual(messages.map(({ text }) => text));
    expect(call?.told.outputSchema).toBeUndefined();
  });
});

describe("a structured answer by text that is invalid at first", () => {
  it.each<[what: string, text: string, told: readonly string[]]>([
    ["does not fit", BAD, ["degrees", "number"]],
    ["lacks a key", '{"city":"Oslo"}', ["degrees"]],
    ["is cut off", GOOD.slice(0, -4), []],
    ["is two values", `${GOOD}\n\n${GOOD.replace("Oslo", "Bergen")}`, []],
    ["is no JSON at all", "It is cold.", ["JSON"]],
  ])("is corrected once with its problems when it %s", async (_what, text, told) => {
    const cli = openCli([answers(text), answers(GOOD)]);
    expect(await expectObject(await cli.finish(request), OSLO)).toMatchObject([{ code: "object-corrected" }]);
    const calls = await cli.calls();
    const [first = "", second = ""] = calls.map((call) => call.prompt);
    expect(calls).toHaveLength(2);
    expect(readThread(second)).toEqual([...readThread(first), { type: "ai", id: "3", text }]);
    const correction = correctionIn(second);
    expect(second.startsWith(`${first.slice(0, first.indexOf("<thread>"))}${correction}\n\n<thread>\n`)).toBe(true);
    for (const word of told) expect(correction).toContain(word);
  });

  it("is corrected when it is empty", async () => {
    const cli = openCli([answers(""), answers(GOOD)]);
    expect(await expectObject(await cli.finish(request), OSLO)).toMatchObject([{ code: "object-corrected" }]);
    expect(correctionIn((await cli.calls())[1]?.prompt ?? "")).toContain("JSON");
  });

  it("shows nothing of the first answer", async () => {
    const run = await openCli([answers(`Here you are:\n\n${BAD}`), answers(GOOD)]).finish(request);
    expect(shownMessages(run.events)).toHaveLength(1);
    expect(JSON.stringify(run.events)).not.toContain("Here you are");
  });

  it("counts the usage of both attempts", async () => {
    const run = await openCli([answers(BAD, { costUsd: 0.25 }), answers(GOOD, { costUsd: 0.5 })]).finish(request);
    expect(await run.stream.result()).toMatchObject({
      costUsd: 0.75,
      usage: { inputTokens: 20, outputTokens: 6, totalTokens: 26 },
    });
  });

  it("in a session is corrected by resuming it, with only the problems", async () => {
    const cli = openCli([answers(BAD), answers(GOOD)]);
    await expectObject(await cli.finish({ ...request, session: { keep: true } }), OSLO);
    const second = (await cli.calls())[1];
    expect(second?.told.session).toEqual({ resume: SESSION });
    expect(second?.prompt).toMatch(/^\[Correction\]\n[\s\S]*degrees/);
    for (const old of ["Hello", "What is the weather", '"cold"', "<thread>"]) expect(second?.prompt).not.toContain(old);
  });

  it.each<[what: string, text: string]>([
    ["does not fit", `Once more:\n\n${BAD}`],
    ["is cut off", GOOD.slice(0, -4)],
    ["is no JSON at all", "It is really cold."],
  ])("fails when the second answer %s, with its text, and without an object", async (_what, text) => {
    const cli = openCli([answers(BAD), answers(text)]);
    const run = await cli.finish(request);
    const failure = await expectFailure(run, "invalid_response", "schema-mismatch");
    expect(failure.partialText).toBe(text);
    expect(failure.message).not.toContain("\n");
    expect(completeObjects(run.events)).toEqual([]);
    const outcome: unknown = await run.stream.result().catch((error: unknown) => error);
    expect(outcome).toMatchObject({ result: { text: "" } });
    expect(outcome).not.toHaveProperty("result.object");
    expect(cli.starts()).toBe(2);
  });
});

/**
 * Expects that the run gave this object: as the last object-delta, in the result, and as JSON in its text; returns its
 * warnings.
 */
async function expectObject(run: FinishedRun, object: JsonValue): Promise<readonly unknown[]> {
  expect(run.end).toMatchObject({ finish: "stop" });
  const result = await run.stream.result();
  expect(result.object).toStrictEqual(object);
  expect(completeObjects(run.events).at(-1)).toStrictEqual(object);
  expect(JSON.parse(result.text)).toStrictEqual(object);
  expect(shownMessages(run.events)).toEqual([result.text]);
  return result.warnings;
}
