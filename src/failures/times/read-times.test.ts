import { expect, it } from "vitest";
import { toInstant, toTimeZone, toWallTime } from "./read-reset.ts";
import { readTimes, type StatedTimes, toReturnTimes } from "./read-times.ts";

const NOW = Date.parse("2026-11-16T12:00:00.000Z");

it.each([
  ["retry-after: 30\ndate: Wed", 30_000],
  ["retry-after: 30 and so on", 30_000],
  ["retry-after: 30 minutes", 1_800_000],
  ["try again in 3\n  hours", 10_800_000],
  ["try again in 2 hours, 5 minutes and 3 seconds", 7_503_000],
  ["You can retry this request in 17 seconds.", 17_000],
  ["Please wait 1h before retrying", 3_600_000],
  ["retry after 1.1s", 1_100],
  ["retry after 0 seconds", 0],
  ["Your quota will reset after 53s", 53_000],
  ["wait 58 hours", 208_800_000],
  ["You are limited for the next 24 hours", 86_400_000],
  ["try your request again in 2 hours", 7_200_000],
  ["2h30m until reset", 9_000_000],
  ['{"resets_in_seconds":90}', 90_000],
  ["请在 30 秒后重试", 30_000],
])("%j is a wait of %i ms", (words, waitMs) => {
  expect(read(words)).toEqual({ waitMs });
});

it.each([
  "Request took 5 seconds; retry",
  "Waiting 5 seconds before retry",
  "5 requests in 10 seconds, please retry",
  "total retry wait time: 10.95 seconds",
  "try again in a few minutes",
  "resets Thursday at 5pm",
  "certificate valid until 2027-01-01T00:00:00Z",
  "2026-11-16T13:00:00Z ERROR will retry",
])("%j states no time", (words) => {
  expect(read(words)).toEqual({});
});

it.each([
  ["resets Thu Nov 19 at 5pm", "2026-11-19T17:00:00.000Z"],
  ["resets Thursday, November 19, 2026 at 5:00 PM PST", "2026-11-20T01:00:00.000Z"],
  ["resets at 15:00 UTC+2", "2026-11-16T13:00:00.000Z"],
  ["You will regain access on 2026-12-01 at 00:00 UTC", "2026-12-01T00:00:00.000Z"],
  ["resets 10am \n     (America/Lima)", "2026-11-16T15:00:00.000Z"],
  ["The quota will reset at 11-27 09:25:00 UTC", "2026-11-27T09:25:00.000Z"],
  ["Available again on 11/20/2026, 10:00:00 AM", "2026-11-20T10:00:00.000Z"],
  ["您的限额将在 2026-11-17 12:00:00 重置。", "2026-11-17T12:00:00.000Z"],
  ["resets tomorrow at noon", "2026-11-17T12:00:00.000Z"],
  ["resets at 2026-11-17 00:00:00", "2026-11-17T00:00:00.000Z"],
  ['{"resets_at":"2026-11-17T01:00:00+01:00"}', "2026-11-17T00:00:00.000Z"],
])("%j is the instant %s", (words, at) => {
  expect(read(words)).toEqual({ resetAtMs: Date.parse(at) });
});

it.each([
  ["retry after 30 seconds", 30_000],
  ["retry in 1.5s", 1_500],
  ["Try again in 2 hours", 7_200_000],
  ["please wait for 20 seconds", 20_000],
  ["It broke. Wait 5 minutes and 3 seconds before you go on", 303_000],
  ["you need to wait another 10s", 10_000],
  ["retry-after: 30", 30_000],
  ['{"retryDelay":"12s"}', 12_000],
])("%j is a wait whatever failed", (words, waitMs) => {
  expect(readOther(words)).toEqual({ waitMs });
  expect(read(words)).toEqual({ waitMs });
});

it.each([
  "available again in 3 hours",
  "resets 3pm",
  "reset after 18h30m12s",
  "retry 3 of 5 in 20 seconds",
  "in 5 minutes you can retry",
  "resets at 2026-11-17T00:00:00Z",
  '{"resets_at":1794873600}',
  "wait until 3pm",
])("%j states a time for a limit only", (words) => {
  expect(read(words)).not.toEqual({});
  expect(readOther(words)).toEqual({});
});

it.each([
  "connection reset at 11:59:58",
  "the socket was reset 2026-11-16 13:00:00",
  "read ECONNRESET 2026-11-16 13:00:00",
  "Service Unavailable 13:00:00",
  "the service is unavailable at 2026-11-16 13:00:00 UTC",
  "last retry at 13:00:00",
  "no answer in 300 seconds, please try again",
  "wait 10m0s exceeded",
  "gave up to wait after 120 s",
])("%j is about the past and states no time", (words) => {
  expect(read(words)).toEqual({});
  expect(readOther(words)).toEqual({});
});

it.each([
  ["try again at 7:04 PM", "2026-11-16T19:04:00.000Z"],
  ["try again after Nov 20th, 2026 7:04 PM", "2026-11-20T19:04:00.000Z"],
  ["Retry-After: Wed, 18 Nov 2026 07:28:00 GMT", "2026-11-18T07:28:00.000Z"],
  ["retry after 2026-11-16T12:05:00Z", "2026-11-16T12:05:00.000Z"],
])("%j is an instant whatever failed", (words, at) => {
  expect(readOther(words)).toEqual({ resetAtMs: Date.parse(at) });
  expect(read(words)).toEqual({ resetAtMs: Date.parse(at) });
});

it("a field takes precedence over the text, and a date in a wait field is a time", () => {
  expect(readTimes("retry in 9s", { now: NOW, timeZone: "UTC" }, { wait: { value: "2", unitMs: 1000 } })).toEqual({
    waitMs: 2_000,
  });
  const dated = { wait: { value: "Wed, 18 Nov 2026 07:28:00 GMT", unitMs: 1000 } };
  expect(readTimes("retry in 9s", { now: NOW, timeZone: "UTC" }, dated)).toEqual({
    resetAtMs: Date.parse("2026-11-18T07:28:00Z"),
  });
});

it("a stated time gives a wait of at least zero; a wait gives a reset time for quota only", () => {
  expect(toReturnTimes({ resetAtMs: NOW - 1 }, "server", NOW)).toEqual({ retryAfterMs: 0, resetAt: "2026-11-16T11:59:59.999Z" });
  expect(toReturnTimes({ waitMs: 1_000 }, "quota", NOW)).toEqual({ retryAfterMs: 1_000, resetAt: "2026-11-16T12:00:01.000Z" });
  expect(toReturnTimes({ waitMs: 1_000 }, "rate_limit", NOW)).toEqual({ retryAfterMs: 1_000 });
  expect(toReturnTimes({}, "quota", NOW)).toEqual({});
});

it("toWallTime and toInstant are inverse, also around a change to daylight saving time", () => {
  for (const zone of ["UTC", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe"]) {
    for (let hour = 0; hour < 24 * 366; hour += 7) {
      const wall = toWallTime(NOW + hour * 3_600_000, zone);
      expect(toWallTime(toInstant(wall, zone), zone), `${zone} ${hour}`).toEqual(wall);
    }
  }
});

it("words that are not a time zone give undefined", () => {
  expect(["PST", "utc", "Europe/Berlin", "and", "Mars/Olympus", "constructor"].map(toTimeZone)).toEqual([
    "America/Los_Angeles",
    "UTC",
    "Europe/Berlin",
    undefined,
    undefined,
    undefined,
  ]);
});

function read(words: string): StatedTimes {
  return readTimes(words, { now: NOW, timeZone: "UTC" });
}

function readOther(words: string): StatedTimes {
  return readTimes(words, { now: NOW, timeZone: "UTC" }, { isLimit: false });
}
