import { expect, test } from "vitest";
import { claude } from "../../src/clis/claude/provider.ts";
import { replayRecording } from "../../src/replay/replay.ts";
import { collect } from "../../src/run/collect.ts";
import type { JsonObject } from "../../src/spec/json.ts";
import { firstInput } from "../../src/spec/wire/define-wire.ts";
import type { RunEvent } from "../../src/spec/wire/events.ts";
import { fixtureFolders, providerOf, readRecordedCases } from "../support/recordings/read-recorded-cases.ts";
import { eventsOf } from "../support/runs/read-run.ts";
import { rawLines, replayLines } from "./recorded-runs.ts";

/** The text of all messages that a run streamed, in order. */
function streamed(events: readonly RunEvent[]): string {
  return eventsOf(events, "text-delta")
    .map(({ text }) => text)
    .join("");
}

test.for(fixtureFolders().filter((cli) => fixtureFolders(cli).includes("multi-turn-resume-2")))(
  "R187 a resumed session of %s streams its new answer alone",
  (cli) => {
    const cases = new Map(readRecordedCases(cli).map(({ name, recording }) => [name, recording]));
    const [first = [], second = []] = ["multi-turn-resume-1", "multi-turn-resume-2"].map((name) => {
      const recording = cases.get(name);
      if (recording === undefined) throw new Error(`${cli} has no ${name}`);
      return replayRecording(providerOf(cli), recording)[0];
    });
    const answers = [collect(first).text, collect(second).text] as const;
    expect(answers[0]).not.toBe("");
    expect(answers[1]).not.toBe(answers[0]);
    expect(streamed(second)).toBe(answers[1]);
  },
);

test("R187 the second turn of one process streams its own answer, and the repeated user messages of both are not text", () => {
  const lines = rawLines("input-stream-replay");
  expect(lines.filter((line) => line["isReplay"] === true)).toHaveLength(2);
  const answers = lines.filter((line) => line["type"] === "result").map((line) => line["result"]);
  const runs = [lines.slice(0, turnEnd(lines) + 1), lines.slice(turnEnd(lines) + 1)].map((turn) => streamed(replayLines(turn)));
  expect(runs).toEqual(answers);
});

test("R187 a message of the history that the CLI repeats is not streamed again", () => {
  const lines = rawLines("multi-turn-resume-2");
  const [init = {}, ...rest] = lines;
  const earlier = rawLines("multi-turn-resume-1")
    .filter(({ type }) => type === "assistant" || type === "user")
    .map((line) => ({ ...line, isReplay: true }));
  expect(earlier.length).toBeGreaterThan(0);
  expect(replayLines([init, ...earlier, ...rest])).toEqual(replayLines(lines));
});

test("R187 the CLI is sent the new message of a session alone, so that it has nothing to repeat", () => {
  const session = { resume: "11111111-2222-4333-8444-555555555555" };
  const { text } = firstInput(claude.transports.spawn.wire, { prompt: "And now?", session });
  const sent = text
    .split("\n")
    .filter((line) => line !== "")
    .map((line): JsonObject => JSON.parse(line));
  expect(sent.filter(({ type }) => type === "user" || type === "assistant")).toHaveLength(1);
  expect(text).toContain("And now?");
});

function turnEnd(lines: readonly JsonObject[]): number {
  return lines.findIndex(({ type }) => type === "result");
}
