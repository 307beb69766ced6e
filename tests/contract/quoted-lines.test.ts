import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { classifyError } from "../../src/index.ts";
import { failWith, type WildText } from "./wild-runs.ts";

const folder = new URL("wild-errors/", import.meta.url);
const texts: readonly WildText[] = readdirSync(folder)
  .filter((name) => name.endsWith(".jsonl"))
  .flatMap((name) => readFileSync(new URL(name, folder), "utf8").split("\n"))
  .filter((line) => line !== "")
  .map((line) => JSON.parse(line));

/** Lines about limits that report none: source code, reports of tests, change logs, documentation and states. */
const QUOTED = `src/limits.ts:12:export const RATE_LIMIT = 60; // requests per minute
docs/api.md:88: The server answers 429 Too Many Requests when the quota is exceeded.
CHANGELOG.md:14:- Fix: usage limit reached was shown twice
+  throw new QuotaExceededError("monthly quota exceeded");
-    if (status === 429) return "rate_limit";
## Rate limits
| 429 | Too Many Requests | retry later |
* Added a test for "You've hit your usage limit"
fix: retry on 429 (#123)
feat(limits): show when the quota resets
it("waits when the rate limit is reached", async () => {
expect(error.message).toBe("Rate limit exceeded");
assert response.status_code == 429
return res.status(429).json({ error: "Too many requests" });
// TODO: handle rate limit errors
# If the rate limit is exceeded, wait a minute
console.error("quota exceeded");
logger.warn("rate limit reached, backing off")
if (err.code === "insufficient_quota") {
The documentation says that a rate limit is 60 requests per minute.
Users should see a message when their quota is exhausted.
Tip: run /usage to see your usage limits
Hint: you can raise the rate limit in settings
[info] rate limit: 58 of 60 requests remaining
info: quota check passed
DEBUG rate limiter initialised with 10 rps
Loaded 3 rate-limit rules
✓ handles quota exceeded (12 ms)
 PASS  tests/quota.test.ts (5 tests)
not ok 3 - rate limit is respected
grep: src/rate-limit: Is a directory
test quota::exceeded ... ok
running 3 tests of rate_limit.rs
const message = "Your credit balance is too low";
Usage: 41% of your weekly limit used
Improved handling of overloaded errors
We now retry when the service is overloaded
diff --git a/quota.ts b/quota.ts`.split("\n");

test("a line that quotes a limit, as the only one on stderr of a failed process, is no limit", () => {
  const read = (text: string): string => failWith({ id: "", cli: "claude", text, where: "stderr" })?.category ?? "success";
  const limits = (lines: readonly string[]): readonly string[] =>
    lines.filter((line) => ["quota", "rate_limit"].includes(read(line)));
  expect(limits(QUOTED)).toEqual([]);
  const quoted = texts.filter(({ where }) => where === "answer+tool").map(({ text }) => text);
  expect(quoted.length).toBeGreaterThan(20);
  // A wrapper of Codex reports with these words that it gave up.
  expect(limits(quoted)).toEqual([expect.stringContaining('detected "Rate limit" in codex output')]);
});

test("a text is read the same by classifyError, in an event and on stderr", () => {
  const readings = texts.flatMap(({ category, ...wild }) => {
    if (category === undefined) return [];
    const read = classifyError(wild.text).category;
    return (["error-event", "stderr"] as const).flatMap((where) =>
      [...new Set([wild.cli, "codex"])].map((cli) => failWith({ ...wild, cli, where, exit: 1 })?.category === read),
    );
  });
  expect(readings.length).toBeGreaterThan(400);
  // A program that has started is not missing, unless it is the CLI itself.
  expect(readings.filter((isSame) => !isSame).length).toBeLessThan(readings.length / 100);
});
