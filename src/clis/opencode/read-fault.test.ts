import { expect, it } from "vitest";
import { readOpencodeFault } from "./run-lines.ts";

const PRINTED_AT = Date.parse("2026-11-16T12:00:00Z");

it.each([
  [{ "retry-after": "7" }, 7_000],
  [{ "retry-after-ms": "250", "retry-after": "7" }, 250],
  [{ "retry-after": "Mon, 16 Nov 2026 12:00:09 GMT" }, 9_000],
  [{ "retry-after-ms": "Infinity", "retry-after": "7" }, 7_000],
])("the headers %j state a wait of %i ms", (headers, retryAfterMs) => {
  expect(waitIn(headers)).toBe(retryAfterMs);
});

it.each([{ "retry-after": "Infinity" }, { "retry-after-ms": "1e999" }, { "retry-after": "-7" }, { "retry-after": "soon" }, {}])(
  "the headers %j state no wait",
  (headers) => {
    expect(waitIn(headers)).toBeUndefined();
  },
);

function waitIn(responseHeaders: Readonly<Record<string, string>>): number | undefined {
  const error = { name: "APIError", data: { message: "Slow down.", responseHeaders } };
  return readOpencodeFault({ type: "error", timestamp: PRINTED_AT, error }).retryAfterMs;
}
