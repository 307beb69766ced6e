import { expect, it } from "vitest";
import { createFailure } from "../spec/failure/failure.ts";
import { retryAfterMs } from "./retry-after.ts";

const NOW = Date.parse("2026-01-01T00:00:00Z");

it("is the stated wait, else the time until the reset", () => {
  expect(retryAfterMs(createFailure("rate-limited", "m", { retryAfterMs: 1234 }), NOW)).toBe(1234);
  expect(retryAfterMs(createFailure("quota-exhausted", "m", { resetAt: "2026-01-01T01:00:00Z" }), NOW)).toBe(3_600_000);
  expect(retryAfterMs(createFailure("quota-exhausted", "m", { resetAt: "2025-01-01T01:00:00Z" }), NOW)).toBe(1000);
});

it("is five seconds for a limit and an overloaded service that stated none", () => {
  for (const code of ["rate-limited", "quota-exhausted", "queue-full", "overloaded"] as const)
    expect(retryAfterMs(createFailure(code, "m"), NOW)).toBe(5000);
  expect(retryAfterMs(createFailure("bad-request", "m"), NOW)).toBeUndefined();
});
