import { describe, expect, test } from "vitest";
import { type Recording, replayRecording } from "../../src/replay/replay.ts";
import { collect } from "../../src/run/collect.ts";
import { recordedCliCases, runsOf } from "../support/recordings/recorded-clis.ts";

/** Runs with a usage of the CLI; those of the others are estimated. */
const counted = recordedCliCases.filter((recordedCase) =>
  runsOf(recordedCase).some((events) => collect(events).usage?.estimated === false),
);

/** The names of the numbers that the CLIs report, in the places where they report them. */
const NUMBERS =
  /"((?:\w*tokens\w*|\w*Tokens|total_cost_usd|costUSD|cost|input|output|reasoning|read|write|cached|prompt|candidates|thoughts|tool|total))":\s*([\d.]+(?:e-?\d+)?)(?=\s*[,}])/g;

function withNumbers(recording: Recording, replacement: string): Recording {
  const text = Buffer.from(recording.stdout).toString("utf8");
  return { ...recording, stdout: Buffer.from(text.replace(NUMBERS, (_, name: string) => `"${name}":${replacement}`)) };
}

describe.each(["-7", "1e999", "-1e999", "1e300"])("every reported count and cost is %s", (replacement) => {
  test.for(counted)("$cli $name leaves them out with a warning and keeps its answer", (recorded) => {
    const { provider, recording } = recorded;
    const before = runsOf(recorded).map((events) => collect(events));
    const after = replayRecording(provider, withNumbers(recording, replacement)).map((events) => collect(events));
    expect(after.map(({ text, finish }) => ({ text, finish }))).toEqual(before.map(({ text, finish }) => ({ text, finish })));
    for (const [index, { usage, costUsd, warnings }] of after.entries()) {
      for (const [name, count] of Object.entries({ ...usage, costUsd }))
        if (typeof count === "number") expect(count, name).toBeGreaterThanOrEqual(0);
      expect(JSON.stringify({ usage, costUsd })).not.toMatch(/null|-/);
      if (before[index]?.usage?.estimated !== false) continue;
      expect(warnings.filter(({ code }) => code === "usage-unsound")).toHaveLength(1);
      expect(usage?.estimated ?? true).toBe(true);
    }
  });
});

test("most CLIs report their usage", () => {
  expect(new Set(counted.map(({ cli }) => cli)).size).toBeGreaterThan(5);
});
