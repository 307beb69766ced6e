import { expect, it } from "vitest";
import { FAILURE_CODES, FAILURE_TRAITS, type FailureCode, type FailureCodeInfo } from "../../../src/index.ts";
import { openFleet } from "../../support/clis/open-fleet.ts";
import { answers, fails, hangs, says, tokens } from "../../support/clis/plays.ts";
import { eventsOf } from "../../support/runs/read-run.ts";

const CODES = Object.keys(FAILURE_CODES) as FailureCode[];
const ABOUT_THE_TARGET: readonly FailureCode[] = ["option-unsupported", "prompt-too-large"];

it.each([false, true])(
  "the failure code decides whether the next target is tried (onAuthentication: %s)",
  async (onAuthentication) => {
    const plays = Object.fromEntries(CODES.map((code) => [code, [fails(code)]]));
    const fleet = openFleet(
      { ...plays, "next-one": [answers("Instead.")] },
      { policies: { retry: false, cooldown: false, limit: { total: 4 }, fallback: { onAuthentication } } },
    );
    const outcomes = await Promise.all(CODES.map((code) => fleet.run([code, "next-one"]).outcome()));
    const reached = CODES.filter((_code, index) => outcomes[index]?.text === "Instead.");
    const expected = CODES.filter((code) => {
      const info: FailureCodeInfo = FAILURE_CODES[code];
      const { shouldFallback } = { ...FAILURE_TRAITS[info.category], ...info.traits };
      if (info.category === "authentication") return onAuthentication;
      return shouldFallback || info.category === "rate_limit" || ABOUT_THE_TARGET.includes(code);
    });
    expect(reached).toEqual(expected);
    expect(fleet.starts("next-one")).toBe(expected.length);
  },
);

it("targets are tried in order, with an event for each fallback", async () => {
  const fleet = openFleet(
    { a: [fails("server-error")], b: [fails("quota-exhausted")], c: [answers("From c.")], d: [answers("From d.")] },
    { policies: { retry: false } },
  );
  const { events, end, result } = await fleet.finish(["a", { provider: "b", model: "big" }, "c", "d"]);
  expect(eventsOf(events, "fallback")).toMatchObject([
    { from: "a", to: "b", failure: { code: "server-error" } },
    { from: "b", to: "c", failure: { code: "quota-exhausted" } },
  ]);
  expect(eventsOf(events, "attempt-start").map(({ provider, attempt }) => [provider, attempt])).toEqual([
    ["a", 1],
    ["b", 2],
    ["c", 3],
  ]);
  expect(end.failure).toBeUndefined();
  expect(result.text).toBe("From c.");
  expect(result.attempts).toMatchObject([
    { provider: "a", failure: { code: "server-error" } },
    { provider: "b", model: "big", failure: { code: "quota-exhausted" } },
    { provider: "c" },
  ]);
  expect(result.attempts?.[2]?.failure).toBeUndefined();
  expect(fleet.starts("d")).toBe(0);
});

it("a rate limit is retried first, and attempts are counted through the run", async () => {
  const fleet = openFleet({ a: [fails("rate-limited")], b: [fails("rate-limited"), answers("From b.")] });
  const { events, result } = await fleet.finish(["a", "b"]);
  expect([fleet.starts("a"), fleet.starts("b")]).toEqual([3, 2]);
  expect(eventsOf(events, "retry").map(({ attempt }) => attempt)).toEqual([1, 2, 4]);
  expect(eventsOf(events, "attempt-start").map(({ provider }) => provider)).toEqual(["a", "a", "a", "b", "b"]);
  expect(result.text).toBe("From b.");
});

it("a rate limit whose wait is too long leads to the next target at once", async () => {
  const fleet = openFleet({ a: [fails("rate-limited", { retryAfterMs: 90_000 })], b: [answers("From b.")] });
  expect((await fleet.finish(["a", "b"])).result.text).toBe("From b.");
  expect(fleet.starts("a")).toBe(1);
});

it("when all fail the run ends with the last failure", async () => {
  const fleet = openFleet({ a: [fails("server-error")], b: [fails("model-unknown")] }, { policies: { retry: false } });
  const { end, result } = await fleet.finish(["a", "b"]);
  expect(end).toMatchObject({ finish: "error", failure: { code: "model-unknown", message: "This is model-unknown." } });
  expect(result.attempts).toMatchObject([{ provider: "a", failure: { code: "server-error" } }, { provider: "b" }]);
});

it.each([
  ["fallback: false", { fallback: false }],
  ["policies: false", false],
] as const)("with %s only the first target is asked", async (_name, policies) => {
  const fleet = openFleet({ a: [fails("quota-exhausted")], b: [answers("From b.")] }, { policies });
  const { events, end } = await fleet.finish(["a", "b"]);
  expect(end.failure).toMatchObject({ code: "quota-exhausted" });
  expect(eventsOf(events, "fallback")).toEqual([]);
  expect(fleet.starts("b")).toBe(0);
});

it("a list of one is a target, and an empty list a TypeError", async () => {
  const fleet = openFleet({ a: [answers("From a.")] });
  expect((await fleet.finish(["a"])).result.text).toBe("From a.");
  expect(() => fleet.run([])).toThrow(TypeError);
});

it("the same provider may be asked twice with another model", async () => {
  const fleet = openFleet({ a: [fails("model-unknown"), answers("Small, but here.")] });
  const { events, result } = await fleet.finish(["a/big", "a/small"]);
  expect(result.text).toBe("Small, but here.");
  expect(fleet.calls("a").map(({ told }) => told.model)).toEqual(["big", "small"]);
  expect(eventsOf(events, "fallback")).toMatchObject([{ from: "a", to: "a" }]);
});

it("after text that was read there is no fallback", async () => {
  const fleet = openFleet({ a: [fails("model-unknown", {}, [says("Half")])], b: [answers("From b.")] });
  const { end } = await fleet.finish(["a", "b"]);
  expect(end.failure).toMatchObject({ code: "model-unknown", partialText: "Half" });
  expect(fleet.starts("b")).toBe(0);
});

it("text that was not read is reset, and ids differ between targets", async () => {
  const fleet = openFleet({ a: [fails("model-unknown", {}, [says("Half")])], b: [answers("From b.")] });
  const { events, result } = await fleet.finish(["a", "b"], {}, { commit: "end" });
  expect(result.text).toBe("From b.");
  expect(eventsOf(events, "text-reset")).toHaveLength(1);
  expect((await fleet.run(["a", "b"]).result()).text).toBe("From b.");
});

it("ids differ between all attempts of all targets", async () => {
  const half = fails("overloaded", {}, [
    { events: [{ type: "reasoning-delta", messageId: "thought", text: "Hm" }] },
    says("Half"),
  ]);
  const fleet = openFleet({ a: [half], b: [half, answers("From b.")] });
  const { events, end, result } = await fleet.finish(["a", "b"], {}, { commit: "end" });
  const ids = [...eventsOf(events, "text-delta"), ...eventsOf(events, "reasoning-delta")].map(({ messageId }) => messageId);
  expect(ids).toHaveLength(9);
  expect(new Set(ids).size).toBe(9);
  expect(end.answerId).toBe(eventsOf(events, "text-delta").at(-1)?.messageId);
  expect(result.text).toBe("From b.");
});

it("tokens and costs of all targets are added up", async () => {
  const spent = { type: "usage", usage: tokens(10, 3), costUsd: 0.25 } as const;
  const fleet = openFleet({
    a: [fails("model-unknown", {}, [{ events: [spent] }])],
    b: [answers("From b.", { usage: tokens(20, 5), costUsd: 0.5 })],
  });
  const { result } = await fleet.finish(["a", "b"]);
  expect(result).toMatchObject({ usage: { inputTokens: 30, outputTokens: 8, totalTokens: 38 }, costUsd: 0.75 });
});

it("after the total timeout no further target is tried", async () => {
  const fleet = openFleet({ a: [hangs], b: [answers("Too late.")] });
  const { events, end } = await fleet.finish(["a", "b"], { timeouts: { totalMs: 600 } });
  expect(end.failure).toMatchObject({ code: "total-timeout" });
  expect(eventsOf(events, "fallback")).toEqual([]);
  expect(fleet.starts("b")).toBe(0);
});

it("a timeout of one attempt leads to the next target", async () => {
  const fleet = openFleet({ a: [hangs], b: [answers("From b.")] }, { policies: { retry: false } });
  expect((await fleet.finish(["a", "b"], { timeouts: { idleMs: 1500 } })).result.text).toBe("From b.");
});
