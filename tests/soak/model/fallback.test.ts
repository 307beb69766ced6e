import { expect, it } from "vitest";
import { FAILURE_CODES, type FailureCode } from "../../../src/spec/failure/failure-codes.ts";
import { leadsOn } from "./fallback.ts";
import type { Behaviour, ModelCall } from "./model-call.ts";
import { createAbleClient, endOf, runDecided, shortEvents } from "./predict-decided.ts";
import { categoryOf, traitsOf } from "./repetition.ts";

const TWO = [{ provider: "a" }, { provider: "b" }];
const CODES = Object.keys(FAILURE_CODES).filter((code): code is FailureCode => Object.hasOwn(FAILURE_CODES, code));
const BESIDES = ["rate-limited", "queue-full", "option-unsupported", "prompt-too-large"];

function movesOn(end: FailureCode, call: Partial<ModelCall> = {}, onAuthentication = false): boolean {
  const script = { a: [{ end, output: "nothing" }] } as const;
  const run = runDecided(createAbleClient({ fallback: { onAuthentication } }), { targets: TWO, script, ...call });
  return shortEvents(run).some((word) => word.startsWith("a to b"));
}

it("after a target has failed (with all its retries) the next one is tried when the failure has `shouldFallback`", () => {
  const script = { a: [{ end: "server-error", output: "nothing" }] } as const;
  expect(shortEvents(runDecided(createAbleClient({ retry: { retries: 1 } }), { targets: TWO, script }))).toEqual([
    "attempt 1 a",
    "retry of 1 after server-error",
    "attempt 2 a",
    "a to b after server-error",
    "attempt 3 b",
  ]);
});

it("only the codes that docs/policies.md names lead to the next target", () => {
  const options = { models: {}, onAuthentication: false };
  const expected = CODES.filter((code) => traitsOf(code).shouldFallback || BESIDES.includes(code));
  expect(CODES.filter((code) => leadsOn(code, options))).toEqual(expected);
  const withAuthentication = CODES.filter((code) => leadsOn(code, { ...options, onAuthentication: true }));
  expect(withAuthentication).toEqual(CODES.filter((code) => expected.includes(code) || categoryOf(code) === "authentication"));
});

it("for `rate_limit`: its retries are spent", () => {
  expect(movesOn("rate-limited")).toBe(true);
});

it("for `rate_limit`: its wait was too long", () => {
  const script = { a: [{ end: "rate-limited", output: "nothing", retryAfterMs: 60_001 }] } as const;
  const run = runDecided(createAbleClient(), { targets: TWO, script });
  expect(shortEvents(run)).toEqual(["attempt 1 a", "a to b after rate-limited", "attempt 2 b"]);
});

it.each(["option-unsupported", "prompt-too-large"] as const)(
  "for `%s`: it is about the target, not about the request",
  (code) => {
    expect(movesOn(code)).toBe(true);
    const script = { a: [{ end: code, output: "nothing", at: "before-start" }] } as const;
    expect(shortEvents(runDecided(createAbleClient(), { targets: TWO, script }))).toEqual([
      `a to b after ${code}`,
      "attempt 1 b",
    ]);
  },
);

it.each(["not-logged-in", "access-denied"] as const)(
  "for `authentication`, only with the option `onAuthentication: true`: %s",
  (code) => {
    expect([movesOn(code), movesOn(code, {}, true)]).toEqual([false, true]);
  },
);

it.each([{ resume: "s" }, { fork: "s" }] as const)("it does not move on when the request continues a session (%o)", (session) => {
  expect(movesOn("crashed", { request: { session } })).toBe(false);
});

it("a chosen session id becomes `session: { keep: true }` on the next target, with a warning `session-changed`", () => {
  const failing: readonly Behaviour[] = [{ end: "crashed", output: "nothing" }];
  const run = runDecided(createAbleClient(), {
    targets: [...TWO, { provider: "c" }],
    request: { session: { id: "s" } },
    script: { a: failing, b: [{ end: "overloaded", output: "nothing" }, ...failing] },
  });
  expect(shortEvents(run)).toEqual([
    "attempt 1 a",
    "a to b after crashed",
    "session-changed",
    "attempt 2 b",
    "retry of 2 after overloaded",
    "attempt 3 b",
    "b to c after crashed",
    "attempt 4 c",
  ]);
});

it("when no time is left of `timeouts.totalMs` the run ends with the last failure", () => {
  const script = { a: [{ end: "total-timeout", output: "nothing" }] } as const;
  const run = runDecided(createAbleClient(), { targets: TWO, script, request: { totalMs: 1000 } });
  expect([...shortEvents(run), endOf(run)]).toEqual(["attempt 1 a", "total-timeout"]);
  expect(run.elapsedMs).toEqual({ min: 1000, max: 1000 });
});

it("a process that would outlast `timeouts.totalMs` ends with `total-timeout`", () => {
  const script = { a: [{ end: "answer", output: "text", durationMs: 1000 }] } as const;
  expect(endOf(runDecided(createAbleClient(), { script, request: { totalMs: 1000 } }))).toBe("total-timeout");
  expect(endOf(runDecided(createAbleClient(), { script, request: { totalMs: 1001 } }))).toBe("answer");
});

it("when there is no further target the run ends with the last failure", () => {
  const script = { a: [{ end: "crashed", output: "nothing" }], b: [{ end: "unclassified", output: "nothing" }] } as const;
  expect(endOf(runDecided(createAbleClient(), { targets: TWO, script }))).toBe("unclassified");
});

it("a `fallback` event names the provider left, the one tried next, and the failure", () => {
  const script = { a: [{ end: "cli-missing", output: "nothing", at: "before-start" }] } as const;
  const run = runDecided(createAbleClient(), { targets: TWO, script });
  expect(run.events[0]).toEqual({ type: "fallback", from: "a", to: "b", code: "cli-missing" });
  expect(run.processes).toEqual({ b: 1 });
});
