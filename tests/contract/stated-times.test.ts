import { describe, expect, test } from "vitest";
import { type Recording, replayRecording } from "../../src/replay/replay.ts";
import { collect } from "../../src/run/collect.ts";
import type { Failure } from "../../src/spec/failure/failure.ts";
import { type RecordedCliCase, recordedCliCases } from "../support/recordings/recorded-clis.ts";

/** The place of the error in the raw lines of each CLI that states a wait; the result is in milliseconds. */
const rawWaits: Readonly<Record<string, (line: string) => number | undefined>> = {
  // The error of the turn; earlier lines are about Codex's own retries.
  codex: (line) => secondsIn(/^\{"type":"turn\.failed".* try again in ([\d.]+)s\./, line),
  gemini: (line) => secondsIn(/^\{"type":"result".*Please retry in ([\d.]+)s\./, line),
  opencode: (line) => secondsIn(/^\{"type":"error".*"retry-after":"(\d+)"/, line),
  copilot: (line) => secondsIn(/^\{"type":"session\.error".* Please try again in ([\d.]+)s\./, line),
};

const failed = recordedCliCases.flatMap((recorded) =>
  replayRecording(recorded.provider, recorded.recording).flatMap((events) => {
    const { failure } = collect(events);
    return failure === undefined ? [] : [{ ...recorded, failure }];
  }),
);
const limited = failed.filter(({ failure }) => failure.category === "quota" || failure.category === "rate_limit");
const stating = limited.filter((recorded) => readRawWait(recorded) !== undefined);

describe("the wait that the raw bytes of recordings state", () => {
  test("four CLIs state a wait in a recording", () => {
    expect(stating.map(({ cli, name }) => `${cli} ${name}`).toSorted()).toStrictEqual([
      "codex error-429-stream",
      "copilot error-429-retry-after",
      "gemini error-429-retry-after",
      "opencode error-429-retry-after",
    ]);
  });

  test.for(stating)("$cli $name: the failure and its expectation have the wait of the raw bytes", (recorded) => {
    const wait = readRawWait(recorded);
    expect(recorded.failure.retryAfterMs).toBe(wait);
    expect(recorded.expected?.runs.map(({ result }) => result["failure"])).toContainEqual(
      expect.objectContaining({ retryAfterMs: wait }),
    );
  });

  test("no other recorded failure has a time: waits of the CLIs' own retries do not count", () => {
    const timed = failed.filter(({ failure }) => hasTime(failure)).map(({ cli, name }) => `${cli} ${name}`);
    expect(timed.toSorted()).toStrictEqual(stating.map(({ cli, name }) => `${cli} ${name}`).toSorted());
  });

  test("Claude states the wait of its own retries, and its last error text for a 429 states no time", () => {
    const recorded = failed.find(({ cli, name }) => cli === "claude" && name === "error-429-retry-after");
    const lines = linesOf(recorded?.recording);
    expect(lines.filter((line) => line.includes('"retry_delay_ms"')).length).toBeGreaterThan(0);
    expect(lines.at(-1)).not.toMatch(/retry_delay|retry.after|try again (?:at|in) \d|resets/i);
    expect(recorded?.failure).not.toHaveProperty("retryAfterMs");
  });
});

function readRawWait({ cli, recording }: Pick<RecordedCliCase, "cli" | "recording">): number | undefined {
  return linesOf(recording)
    .map((line) => rawWaits[cli]?.(line))
    .findLast((wait) => wait !== undefined);
}

function linesOf(recording: Recording | undefined): readonly string[] {
  return Buffer.from(recording?.stdout ?? [])
    .toString("utf8")
    .trimEnd()
    .split("\n");
}

function secondsIn(pattern: RegExp, line: string): number | undefined {
  const seconds = pattern.exec(line)?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}

function hasTime({ retryAfterMs, resetAt }: Failure): boolean {
  return retryAfterMs !== undefined || resetAt !== undefined;
}
