import { expect, it } from "vitest";
import { FAILURE_CODES, type FailureCode } from "../../../src/spec/failure/failure-codes.ts";
import { createRandom } from "../../support/random.ts";
import { type DrawnCall, drawCall } from "./draw-call.ts";
import { drawClient } from "./draw-client.ts";
import { FAILURE_ORIGINS } from "./failure-origins.ts";
import { endOf, shortEvents } from "./predict-decided.ts";
import { acceptPrediction } from "./predict-run.ts";

function drawMany(seed: number, slackMs: number): readonly DrawnCall[] {
  const random = createRandom(seed);
  const quotaFiles = new Map<string, number>();
  const drawn: DrawnCall[] = [];
  let now = 1_700_000_000_000;
  for (let made = 0; made < 100; made += 1) {
    const client = drawClient(random, { now, providers: ["a", "b", "c", "d"], quotaFiles, slackMs });
    for (let calls = 0; calls < 40; calls += 1) {
      const one = drawCall(random, client, now);
      acceptPrediction(client, one.prediction);
      now += one.waitMs + Math.ceil(one.prediction.elapsedMs.max);
      drawn.push(one);
    }
  }
  return drawn;
}

const DRAWN = drawMany(1, 0);

it("the same seed draws the same calls, and another seed others", () => {
  expect(drawMany(1, 0)).toEqual(DRAWN);
  expect(drawMany(2, 0)).not.toEqual(DRAWN);
});

it("every failure that a provider can cause occurs in some run", () => {
  const met = new Set(
    DRAWN.flatMap(({ prediction }) => [
      endOf(prediction),
      ...prediction.events.flatMap((event) => (event.type === "retry" || event.type === "fallback" ? [event.code] : [])),
    ]),
  );
  const codes = Object.keys(FAILURE_CODES).filter((code): code is FailureCode => Object.hasOwn(FAILURE_ORIGINS, code));
  expect(codes.filter((code) => FAILURE_ORIGINS[code].length > 0 && !met.has(code))).toEqual([]);
  expect([...met]).toEqual(expect.arrayContaining(["answer", "cooling-down", "budget-spent", "interrupted"]));
});

it("every kind of event occurs", () => {
  const kinds = new Set(DRAWN.flatMap(({ prediction }) => shortEvents(prediction).map((word) => word.replace(/ .*/, ""))));
  expect([...kinds]).toEqual(
    expect.arrayContaining(["attempt", "retry", "a", "text-reset", "session-changed", "setting-ignored", "cost-unknown"]),
  );
});

it("chains of one to four targets, every commit and every kind of session are drawn, and time jumps", () => {
  const facts = new Set(
    DRAWN.flatMap(({ call, waitMs }) => [
      call.targets.length,
      `${call.reads} ${call.commit}`,
      Object.keys(call.request.session ?? {}).join("+"),
      waitMs > 0 ? "later" : "now",
    ]),
  );
  expect([...facts]).toEqual(
    expect.arrayContaining([1, 2, 3, 4, "events undefined", "events end", "result first-event", "id", "fork+id", "now", "later"]),
  );
});

it("no drawn call is undecided, even if processes take time", () => {
  expect(drawMany(3, 2000).filter(({ prediction }) => prediction.undecided !== undefined)).toEqual([]);
});

it("attempts are numbered in order, and no more processes than attempts are started", () => {
  for (const { prediction } of DRAWN) {
    const attempts = prediction.events.flatMap((event) => (event.type === "attempt-start" ? [event.attempt] : []));
    expect(attempts).toEqual(attempts.map((_, index) => index + 1));
    expect(Object.values(prediction.processes).reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(attempts.length);
  }
});
