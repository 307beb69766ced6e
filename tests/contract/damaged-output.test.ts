import { describe, expect, test } from "vitest";
import { type Recording, replayRecording } from "../../src/replay/replay.ts";
import { collect } from "../../src/run/collect.ts";
import { createRandom, pick } from "../support/random.ts";
import { mutate } from "../support/recordings/mutate.ts";
import { type RecordedCliCase, recordedCliCases, recordedClis, runsOf } from "../support/recordings/recorded-clis.ts";
import { seedOf } from "../support/recordings/seeds.ts";
import { findBrokenRules } from "../support/runs/event-rules.ts";

const SEED = 136;
const MUTATIONS = 150;
/** Longer output repeats the same kinds of lines. */
const LONGEST = 60_000;
const MOST_CUTS = 60;

function recordingsOf(cli: string): readonly RecordedCliCase[] {
  return recordedCliCases.filter((recorded) => recorded.cli === cli && recorded.recording.stdout.length < LONGEST);
}

describe("output that is damaged anywhere", () => {
  test.for(recordedClis)("of $cli makes no parser throw and keeps the rules of events", ({ cli, provider }) => {
    const cases = recordingsOf(cli) as [RecordedCliCase, ...RecordedCliCase[]];
    for (let number = 0; number < MUTATIONS; number += 1) {
      const random = createRandom(seedOf(SEED, `${cli}#${number}`));
      const { name, recording } = pick(random, cases);
      const { bytes, what } = mutate(Buffer.from(recording.stdout), random);
      const damaged: Recording = { ...recording, stdout: bytes };
      for (const events of replayRecording(provider, damaged))
        expect(findBrokenRules(events), `${name}: ${what.join(", ")}`).toEqual([]);
    }
  });
});

/** Recordings of one answered run with a format that has an end of its own. A run with work in the background has several whole answers. */
const answered = recordedCliCases.filter((recorded) => {
  const { name, recording } = recorded;
  if (name.includes("background") || recording.format !== "stream-json" || recording.stdout.length >= LONGEST) return false;
  const results = runsOf(recorded).map((events) => collect(events));
  return results.length === 1 && results.every(({ failure, text }) => failure === undefined && text !== "");
});

describe("output that ends too soon", () => {
  test.for(recordedClis)("of $cli is a failure or the whole answer, wherever it is cut", ({ cli, provider }) => {
    const cases = answered.filter((recorded) => recorded.cli === cli);
    expect(cases.length).toBeGreaterThan(0);
    for (const { name, recording, ...recorded } of cases) {
      const whole = collect(runsOf({ ...recorded, recording })[0] ?? []).text;
      for (const end of placesIn(recording)) {
        const [events = []] = replayRecording(provider, { ...recording, stdout: recording.stdout.subarray(0, end), exitCode: 0 });
        const { failure, text } = collect(events);
        expect(failure === undefined ? text : whole, `${name} cut after ${end} bytes`).toBe(whole);
      }
    }
  });
});

/** After each line and in the middle of it; of many lines some. */
function placesIn({ stdout }: Recording): readonly number[] {
  const ends = [...stdout.entries()].flatMap(([index, byte]) => (byte === 10 ? [index + 1] : []));
  const places = ends.flatMap((end, index) => [Math.floor(((ends[index - 1] ?? 0) + end) / 2), end]);
  const step = Math.ceil(places.length / MOST_CUTS);
  return places.filter((_, index) => index % step === 0);
}
