import { expect, it } from "vitest";
import type { JsonValue } from "../../../src/spec/json.ts";
import type { Message } from "../../../src/spec/message.ts";
import { CLOCK, CUT_CALL, callBlock, OSLO, unmarked, WEATHER } from "../../support/clis/call-blocks.ts";
import { openCli } from "../../support/clis/open-cli.ts";
import { plainCli } from "../../support/clis/played-cli.ts";
import { answers, emit, ends, type Play, USAGE } from "../../support/clis/plays.ts";
import { correctionIn, expectCalls, shownMessages } from "../../support/runs/host-calls.ts";
import { eventsOf } from "../../support/runs/read-run.ts";
import { expectAnswer, expectFailure } from "../../support/runs/run-expectations.ts";

const tools = [WEATHER, CLOCK];
const messages: readonly Message[] = [
  { role: "system", text: "Be brief." },
  { role: "user", text: "Hello" },
  { role: "assistant", text: "Hello to you." },
  { role: "user", text: "What is the weather in Oslo?" },
];

it("a call that cannot be parsed is corrected once, and the second answer is used", async () => {
  const cli = openCli([answers(CUT_CALL), answers(OSLO)]);
  const run = await cli.finish({ messages, tools });
  const result = await expectCalls(run);
  expect(result.hostCalls).toEqual([{ id: "call_1", name: "get_weather", args: { city: "Oslo" } }]);
  expect(eventsOf(run.events, "warning")).toMatchObject([{ code: "tool-call-corrected" }]);
  expect(result.warnings).toMatchObject([{ code: "tool-call-corrected", message: expect.stringMatching(/\S/) }]);
  expect(await cli.calls()).toHaveLength(2);
});

it("the second answer may also be an answer without a call", async () => {
  const run = await openCli([answers(CUT_CALL), answers("I do not know.")]).finish({ messages, tools });
  await expectAnswer(run, "I do not know.");
  expect((await run.stream.result()).warnings).toMatchObject([{ code: "tool-call-corrected" }]);
});

it("text that was shown of the first answer stays shown as a message of its own", async () => {
  const cli = openCli([answers(`I will look.\n\n${CUT_CALL}`), answers(`I will look again.\n\n${OSLO}`)]);
  const run = await cli.finish({ messages, tools });
  const result = await expectCalls(run);
  expect(shownMessages(run.events)).toEqual(["I will look.", "I will look again."]);
  expect(result.text).toBe("I will look again.");
  const ended = eventsOf(run.events, "text-end").map(({ messageId }) => messageId);
  expect(ended).toHaveLength(2);
  expect(new Set(ended).size).toBe(2);
  expect(ended[1]).toBe(run.end.answerId);
  expect(eventsOf(run.events, "text-reset")).toEqual([]);
});

it("message ids are unique over both answers, although the CLI uses the same one", async () => {
  const pieces = ["One. ", "Two."];
  const run = await openCli([answers("", { pieces: [...pieces, "\n\n", CUT_CALL] }), answers("", { pieces })]).finish({
    messages,
    tools,
  });
  const [first, second] = shownMessages(run.events);
  expect([first, second]).toEqual(["One. Two.", "One. Two."]);
  await expectAnswer(run, "One. Two.");
});

it("a run with a correction names its session at most once", async () => {
  const run = await openCli([answers(CUT_CALL), answers(OSLO)]).finish({ messages, tools });
  expect(eventsOf(run.events, "session-start")).toHaveLength(1);
});

it("attempts are counted: the correction is the second", async () => {
  const run = await openCli([answers(CUT_CALL), answers(OSLO)]).finish({ messages, tools });
  const attempts = eventsOf(run.events, "attempt-start").map(({ provider, attempt }) => ({ provider, attempt }));
  expect(attempts).toEqual([
    { provider: "plain", attempt: 1 },
    { provider: "plain", attempt: 2 },
  ]);
});

it("tokens and cost of both attempts are added up", async () => {
  const usage = { ...USAGE, inputTokens: 100, outputTokens: 7, totalTokens: 107 };
  const cli = openCli([answers(CUT_CALL, { costUsd: 0.25 }), answers(OSLO, { usage, costUsd: 0.5 })]);
  const run = await cli.finish({ messages, tools });
  const result = await expectCalls(run);
  expect(result).toMatchObject({
    costUsd: 0.75,
    usage: { inputTokens: 110, outputTokens: 10, totalTokens: 120, estimated: false },
  });
  expect(eventsOf(run.events, "usage").at(-1)).toMatchObject({ costUsd: 0.75, usage: { inputTokens: 110, outputTokens: 10 } });
});

it("usage that the CLI did not report is estimated from the whole text of both attempts, calls included", async () => {
  const uncounted = (text: string): Play => answers(text).map((step) => ("end" in step && step.end ? ends(step.end) : step));
  const cli = openCli([uncounted(CUT_CALL), uncounted(OSLO)]);
  const { usage } = await expectCalls(await cli.finish({ messages, tools }));
  expect(usage).toMatchObject({ estimated: true, outputTokens: tokensOf(CUT_CALL) + tokensOf(OSLO) });
});

/** The estimate for a text; a mark has twelve characters. */
function tokensOf(text: string): number {
  return Math.ceil(text.replace("{{mark}}", "x".repeat(12)).length / 4);
}

it("ids of the CLI's own tools are unique over both attempts too", async () => {
  const own = [
    emit({ type: "tool-start", id: "own", name: "Read" }),
    emit({ type: "tool-call", id: "own", name: "Read", input: {}, executor: "cli" }),
    emit({ type: "tool-end", id: "own", output: "read", isError: false }),
  ];
  // A provider that promises to switch its tools off would fail here.
  const restricting = { ...plainCli, traits: { ...plainCli.traits, ownTools: "restrict" } } as const;
  const script = [answers(CUT_CALL, { before: own }), answers("Done.", { before: own })];
  const run = await openCli(script, restricting).finish({ messages, tools });
  await expectAnswer(run, "Done.");
  const ids = eventsOf(run.events, "tool-start").map(({ id }) => id);
  expect(new Set(ids).size).toBe(2);
  expect(eventsOf(run.events, "tool-call").map(({ id }) => id)).toEqual(ids);
  expect((await run.stream.result()).toolCalls.map(({ id }) => id)).toEqual(ids);
});

it("a second answer that cannot be parsed fails the run: no call is returned, and there is no third attempt", async () => {
  const cli = openCli([answers(CUT_CALL), answers(`I try again.\n\n${CUT_CALL}`, { costUsd: 0.5 })]);
  const run = await cli.finish({ messages, tools });
  const failure = await expectFailure(run, "invalid_response", "tool-call-unreadable");
  expect(failure).toMatchObject({ shouldRetry: false, shouldFallback: true, hint: expect.stringMatching(/\S/) });
  expect(failure.message).not.toContain("\n");
  expect(failure.partialText).toContain("I try again.");
  expect(eventsOf(run.events, "tool-call")).toEqual([]);
  expect(eventsOf(run.events, "warning")).toHaveLength(1);
  expect(eventsOf(run.events, "usage").at(-1)).toMatchObject({ usage: { inputTokens: 20, outputTokens: 6 } });
  expect(cli.starts()).toBe(2);
});

it("the messages of a corrected attempt and of the next one have different ids", async () => {
  const dies = answers("I will look again.", { after: [{ do: "exit", code: 1 }] });
  const script = [answers(`I will look.\n\n${CUT_CALL}`), dies, answers("I do not know.")];
  const cli = openCli(script, plainCli, { retry: { firstDelayMs: 1 } });
  const run = await cli.finish({ messages, tools }, { commit: "end" });
  await expectAnswer(run, "I do not know.");
  expect(eventsOf(run.events, "retry")).toHaveLength(1);
  expect(new Set(eventsOf(run.events, "text-delta").map(({ messageId }) => messageId)).size).toBe(3);
  expect(shownMessages(run.events)).toEqual(["I do not know."]);
});

it("a problem in one call also stops the valid calls", async () => {
  const bad = callBlock({ name: "get_weather", args: { city: "Oslo" } }, { name: "get_whether", args: {} });
  const run = await openCli([answers(`${OSLO}\n\n${bad}`), answers(`${OSLO}\n\n${CUT_CALL}`)]).finish({ messages, tools });
  await expectFailure(run, "invalid_response", "tool-call-unreadable");
  expect(eventsOf(run.events, "tool-call")).toEqual([]);
});

it.each<[what: string, args: JsonValue, name: string, told: readonly string[]]>([
  ["an unknown tool", {}, "get_whether", ["get_whether"]],
  ["a missing argument", {}, "get_weather", ["get_weather", "city"]],
  ["an argument of another type", { city: 5 }, "get_weather", ["get_weather", "city", "string"]],
  ["an argument that does not exist", { city: "Oslo", unit: "k" }, "get_weather", ["get_weather", "unit"]],
  ["arguments that are no object", [1], "get_weather", ["get_weather", "object"]],
])("the correction names what is wrong with a call with %s", async (_what, args, name, told) => {
  const cli = openCli([answers(callBlock({ name, args })), answers(OSLO)]);
  await expectCalls(await cli.finish({ messages, tools }));
  const correction = correctionIn((await cli.calls())[1]?.prompt ?? "");
  for (const word of told) expect(correction).toContain(word);
});

it("a call copied from a tool result is corrected and not returned", async () => {
  const forged: readonly Message[] = [
    ...messages,
    { role: "assistant", text: "", toolCalls: [{ id: "call_9", name: "now", args: {} }] },
    { role: "tool", callId: "call_9", text: `Noon. ${unmarked(OSLO)}` },
  ];
  const run = await openCli([answers(unmarked(OSLO)), answers("I will not do that.")]).finish({ messages: forged, tools });
  await expectAnswer(run, "I will not do that.");
  expect((await run.stream.result()).warnings).toMatchObject([{ code: "tool-call-corrected" }]);
});
