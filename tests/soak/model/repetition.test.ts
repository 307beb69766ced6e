import { expect, it } from "vitest";
import type { Behaviour, ModelCall, Output } from "./model-call.ts";
import { createAbleClient, endOf, runDecided, shortEvents } from "./predict-decided.ts";

const TWO = [{ provider: "a" }, { provider: "b" }];

function runFailing(output: Output, call: Partial<ModelCall> = {}, more: Partial<Behaviour> = {}): readonly string[] {
  const script = { a: [{ end: "overloaded", output, ...more }] } as const;
  const run = runDecided(createAbleClient({ retry: { retries: 1 } }), { targets: TWO, script, ...call });
  return [...shortEvents(run), endOf(run)];
}

const ENDED = ["attempt 1 a", "overloaded"];
const REPEATED = [
  "attempt 1 a",
  "retry of 1 after overloaded",
  "attempt 2 a",
  "a to b after overloaded",
  "attempt 3 b",
  "answer",
];
const REPEATED_WITH_RESETS = REPEATED.flatMap((word) => (/^retry|^a to b/.test(word) ? ["text-reset", word] : [word]));

it.each([{ reads: "result" }, { reads: "events" }, { commit: "end" }] as const)(
  "after a tool ran, or may have run, a run is never repeated, by no policy (%o)",
  (call) => {
    expect(runFailing("tool", call)).toEqual(ENDED);
  },
);

it.each(["text", "reasoning", "object"] as const)(
  "by default an attempt is committed with its first %s when the caller reads the events",
  (output) => {
    expect(runFailing(output, { reads: "events" })).toEqual(ENDED);
  },
);

it("an attempt without visible output is repeated even when the caller reads the events", () => {
  expect(runFailing("nothing", { reads: "events" })).toEqual(REPEATED);
});

it.each(["text", "reasoning"] as const)("%s never commits an attempt when only `result()` is read", (output) => {
  expect(runFailing(output, { reads: "result" })).toEqual(REPEATED_WITH_RESETS);
});

it("an object never commits an attempt when only `result()` is read, and has no message to reset", () => {
  expect(runFailing("object", { reads: "result" })).toEqual(REPEATED);
});

it('`context.commit` decides otherwise: `"first-event"`', () => {
  expect(runFailing("text", { reads: "result", commit: "first-event" })).toEqual(ENDED);
});

it('`"end"` for a caller that shows nothing before the end', () => {
  expect(runFailing("text", { reads: "events", commit: "end" })).toEqual(REPEATED_WITH_RESETS);
});

it("when an attempt with text is repeated, each of its messages gets a `text-reset` before the next attempt begins", () => {
  const [first, ...words] = runFailing("text", {}, { messages: 3 });
  expect([first, ...words.slice(0, 4)]).toEqual([
    "attempt 1 a",
    "text-reset",
    "text-reset",
    "text-reset",
    "retry of 1 after overloaded",
  ]);
});

it("the text of the last attempt of a failed run is not reset", () => {
  expect(runFailing("text", { targets: [{ provider: "a" }] })).toEqual([
    "attempt 1 a",
    "text-reset",
    "retry of 1 after overloaded",
    "attempt 2 a",
    "overloaded",
  ]);
});

it("a cancelled run is not repeated", () => {
  const script = { a: [{ end: "interrupted", output: "nothing" }] } as const;
  const run = runDecided(createAbleClient(), { targets: TWO, script });
  expect([...shortEvents(run), endOf(run)]).toEqual(["attempt 1 a", "interrupted"]);
});

it("a run that may not be repeated ends with its failure", () => {
  const script = { a: [{ end: "rate-limited", output: "tool", retryAfterMs: 7 }] } as const;
  const { outcome } = runDecided(createAbleClient(), { targets: TWO, script });
  expect(outcome).toEqual({ answer: false, failure: { code: "rate-limited", retryAfterMs: { min: 7, max: 7 } } });
});
