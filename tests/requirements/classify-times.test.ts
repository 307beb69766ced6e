import { describe, expect, test } from "vitest";
import { classifyError } from "../../src/index.ts";

const NOW = "2026-11-16T12:00:00.000Z";

function times(error: unknown, timeZone = "UTC", now = NOW): { wait: number | null; at: string | undefined } {
  const { retryAfterMs, resetAt } = classifyError(error, { now: new Date(now), timeZone });
  return { wait: retryAfterMs, at: resetAt };
}

describe("how long to wait", () => {
  test("R118 retry after 30 seconds", () => {
    expect(times("Rate limit exceeded, retry after 30 seconds").wait).toBe(30_000);
  });

  test("R119 retry after 100ms", () => {
    expect(times("Rate limit exceeded, retry after 100ms").wait).toBe(100);
  });

  test("R120 wait 5 seconds", () => {
    expect(times("Too many requests, please wait 5 seconds").wait).toBe(5_000);
  });

  test("R121 a rate limit that states no time is waited out for a second; nothing else is", () => {
    expect(times("Rate limit exceeded").wait).toBe(1_000);
    expect(times({ status: 429 }).wait).toBe(1_000);
    for (const words of ["insufficient_quota", "ECONNRESET", "500", "odd"]) expect(times(words).wait, words).toBeNull();
  });

  test.for([
    ["retry-after: 30", 30_000],
    ['{"error":{"code":429,"details":[{"retryDelay":"12s"}]}}', 12_000],
    ["Please retry in 2.1s.\nSuggested retry after 2s.", 2_100],
    ["Rate limit reached. Please try again in 1.2s", 1_200],
    ["Rate limited, retry after 2 minutes", 120_000],
    ["retried 5 times (total retry wait time: 10.95 seconds) Last error: 429 Please try again in 2s.", 2_000],
  ] as const)("R122 %j is a wait", ([words, wait]) => {
    expect(times(words)).toEqual({ wait, at: undefined });
  });

  test.for([
    ["Too many requests; available again in 3 hours", 10_800_000],
    ["Rate limit: try again in 3 days 4 hours 5 minutes", 273_900_000],
  ] as const)("R122 %j is a wait so long that it is a quota, which has a reset time", ([words, wait]) => {
    expect(times(words)).toEqual({ wait, at: new Date(Date.parse(NOW) + wait).toISOString() });
  });

  test.for([
    [{ retryAfterMs: 1_500 }, 1_500],
    [{ retry_delay_ms: 593.2 }, 594],
    [{ retryAfter: 30 }, 30_000],
    [{ retry_after: "30" }, 30_000],
    [{ "retry-after": "30" }, 30_000],
    [{ headers: { "Retry-After": "7" } }, 7_000],
    [{ headers: new Headers({ "retry-after": "8" }) }, 8_000],
    [{ responseHeaders: { "retry-after": "9" } }, 9_000],
    [{ error: { retryDelay: "12s" } }, 12_000],
  ] as const)("R122 the field %j is a wait", ([fields, wait]) => {
    expect(times({ message: "Rate limit", ...fields })).toEqual({ wait, at: undefined });
  });

  test.for([
    "wait 1 step",
    "took 500 ms",
    "timed out after 30 seconds",
    "within 5 minutes of inactivity",
    "retry after 367 days",
  ])("R121 R122 %j states no retry time", (words) => {
    expect(times(words)).toEqual({ wait: null, at: undefined });
  });
});

describe("times that are not about coming back", () => {
  test.for([
    "Error: connection reset at 11:59:58",
    "503 Service Unavailable (2026-11-16 11:59:58)",
    "fetch failed, last retry 10:15:02",
    "No response received in 300 seconds, please try again",
    "Timed out waiting for response: wait 600s exceeded",
  ])("R122 %j states none", (words) => {
    expect(times(words, "America/Los_Angeles")).toEqual({ wait: null, at: undefined });
  });

  test("R122 other errors than limits state a time only with a request to retry", () => {
    expect(times("Internal server error, resets 3pm")).toEqual({ wait: null, at: undefined });
    expect(times("Internal server error, try again at 3pm").at).toBe("2026-11-16T15:00:00.000Z");
    expect(times("Internal server error, retry after 3 seconds").wait).toBe(3_000);
    expect(times({ message: "Internal server error", headers: { "retry-after": "4" } }).wait).toBe(4_000);
    expect(times({ message: "Internal server error", resetAt: "2026-11-16T13:00:00Z" }).at).toBe("2026-11-16T13:00:00.000Z");
  });
});

describe("when to come back", () => {
  test.for([
    ["Claude AI usage limit reached|1794844800", "2026-11-16T16:00:00.000Z"],
    ["You’ve hit your usage limit or try again at 7:04 PM.", "2026-11-16T19:04:00.000Z"],
    ["usage limit: try again at Nov 20th, 2026 7:04 PM.", "2026-11-20T19:04:00.000Z"],
    ["5-hour limit reached ∙ resets 3pm (Europe/Berlin)", "2026-11-16T14:00:00.000Z"],
    ["You've hit your weekly limit · resets Nov 20 at 5pm", "2026-11-20T17:00:00.000Z"],
    ["You've hit your limit · resets 9am", "2026-11-17T09:00:00.000Z"],
    ["Usage limit resets at 2026-11-17T00:00:00Z", "2026-11-17T00:00:00.000Z"],
    ["Usage limit. Retry-After: Wed, 18 Nov 2026 07:28:00 GMT", "2026-11-18T07:28:00.000Z"],
    ["Your quota will reset after 18h30m12s", "2026-11-17T06:30:12.000Z"],
  ] as const)("R122 %j gives resetAt and the wait until then", ([words, at]) => {
    expect(times(words)).toEqual({ wait: Date.parse(at) - Date.parse(NOW), at });
  });

  test("R122 a clock time is read in the zone of the host, or in the one that is asked for", () => {
    expect(times("usage limit, try again at 7:04 PM", "America/New_York").at).toBe("2026-11-17T00:04:00.000Z");
    expect(times("usage limit, try again at 7:04 PM", "Asia/Kolkata").at).toBe("2026-11-16T13:34:00.000Z");
    expect(times("usage limit, resets 3pm (Europe/Berlin)", "Asia/Kolkata").at).toBe("2026-11-16T14:00:00.000Z");
  });

  test("R122 a clock time on the day after the clocks change is that of the new time", () => {
    const eve = "2026-10-31T23:00:00.000Z";
    expect(times("usage limit resets 6pm", "America/New_York", eve).at).toBe("2026-11-01T23:00:00.000Z");
    expect(times("usage limit resets 8pm", "America/New_York", eve).at).toBe("2026-11-01T00:00:00.000Z");
  });

  test("R122 a date without a year is the next such date, and one that never comes is not stated", () => {
    expect(times("usage limit resets Nov 16 at 9am").at).toBe("2027-11-16T09:00:00.000Z");
    expect(times("usage limit resets Feb 30 at 9am")).toEqual({ wait: null, at: undefined });
    expect(times("usage limit, try again at 25:99")).toEqual({ wait: null, at: undefined });
  });

  test.for([
    [{ resetAt: "2026-11-16T13:00:00Z" }, "2026-11-16T13:00:00.000Z"],
    [{ resets_at: 1_794_844_800 }, "2026-11-16T16:00:00.000Z"],
    [{ resetsAt: 1_794_844_800_000 }, "2026-11-16T16:00:00.000Z"],
    [{ error: { resetAt: "2026-11-16T13:00:00+01:00" } }, "2026-11-16T12:00:00.000Z"],
  ] as const)("R122 the field %j is an instant", ([fields, at]) => {
    expect(times({ message: "usage limit", ...fields })).toEqual({ wait: Date.parse(at) - Date.parse(NOW), at });
  });

  test("R122 an instant that is past leaves nothing to wait for", () => {
    expect(times("usage limit, try again at Nov 1st, 2026 7:04 PM")).toEqual({ wait: 0, at: "2026-11-01T19:04:00.000Z" });
  });
});
