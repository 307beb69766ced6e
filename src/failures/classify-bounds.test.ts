import { expect, it } from "vitest";
import { claude } from "../clis/claude/provider.ts";
import type { Failure } from "../spec/failure/failure.ts";
import type { Fault } from "../spec/wire/wire.ts";
import { classifyFault } from "./classify.ts";

const YEAR_MS = 366 * 86_400_000;
const SPENT = "You have hit your usage limit.";

it.each([3.6e21, Number.POSITIVE_INFINITY, Number.NaN, -1, YEAR_MS + 1])(
  "a wait of %d ms from a wire is ignored",
  (retryAfterMs) => {
    expect(classify({ message: SPENT, retryAfterMs })).toMatchObject({ code: "quota-exhausted" });
    expect(classify({ message: SPENT, retryAfterMs })).not.toHaveProperty("retryAfterMs");
    expect(classify({ message: SPENT, retryAfterMs })).not.toHaveProperty("resetAt");
    expect(classify({ message: `${SPENT} Try again in 2 hours.`, retryAfterMs })).toMatchObject({ retryAfterMs: 7_200_000 });
    // An invalid wait does not make a used-up quota a short rate limit.
    expect(classify({ message: "RESOURCE_EXHAUSTED", retryAfterMs }).code).toBe("quota-exhausted");
  },
);

it("waits up to a year and a day are used, in whole milliseconds", () => {
  expect(classify({ message: SPENT, retryAfterMs: 0 }).retryAfterMs).toBe(0);
  expect(classify({ message: SPENT, retryAfterMs: 593.2 }).retryAfterMs).toBe(594);
  expect(classify({ message: SPENT, retryAfterMs: YEAR_MS }).retryAfterMs).toBe(YEAR_MS);
});

it.each(["9999-12-31T00:00:00.000Z", "+275760-09-13T00:00:00.000Z", "never", ""])(
  "a reset time of %j from a wire is ignored",
  (resetAt) => {
    const failure = classify({ message: SPENT, resetAt });
    expect(failure.code).toBe("quota-exhausted");
    expect(failure).not.toHaveProperty("resetAt");
    expect(failure).not.toHaveProperty("retryAfterMs");
  },
);

it("a reset time from a wire is used, also one in the past", () => {
  const soon = new Date(Date.now() + 3_600_000).toISOString();
  expect(classify({ message: SPENT, resetAt: soon }).resetAt).toBe(soon);
  const past = "2020-01-01T00:00:00.000Z";
  expect(classify({ message: SPENT, resetAt: past })).toMatchObject({ resetAt: past, retryAfterMs: 0 });
});

it("the time of a connection error is not a reset time", () => {
  for (const message of [
    "connection reset at 00:00:01",
    "HTTP 503 Service Unavailable 00:00:01",
    "fetch failed, last retry 00:00:01",
  ]) {
    expect(classify({ message }), message).not.toHaveProperty("retryAfterMs");
    expect(classify({ message }), message).not.toHaveProperty("resetAt");
  }
  expect(classify({ message: "HTTP 503 Service Unavailable, retry after 9 seconds" }).retryAfterMs).toBe(9_000);
});

function classify(fault: Fault): Failure {
  return classifyFault({ ...claude, faults: [] }, fault, { stderrTail: "" });
}
