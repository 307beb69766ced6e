import { describe, expect, test } from "vitest";
import type { RunEvent } from "../../src/spec/events.ts";
import type { Provider } from "../../src/spec/provider.ts";
import { type Recording, replayRecording } from "../../src/testing/replay.ts";
import { recordedCliCases } from "./recorded-clis.ts";

const exhaustiveBytes = 6 * 1024;
const sampledCuts = 60;
const hangGuardMs = 300_000;

// Output of less than two bytes cannot be cut.
const cuttable = recordedCliCases.filter(({ recording }) => recording.stdout.length >= 2);
const small = cuttable.filter(({ recording }) => recording.stdout.length <= exhaustiveBytes);
const large = cuttable.filter(({ recording }) => recording.stdout.length > exhaustiveBytes);

describe("where the output is cut into chunks does not matter", { timeout: hangGuardMs }, () => {
  test.for(small)("$cli $name gives the same events when it is cut in two at any byte", ({ provider, recording }) => {
    expectSameEvents(
      provider,
      recording,
      allOffsets(recording).map((offset) => [offset]),
    );
  });

  test.for(large)(
    "$cli $name gives the same events when it is cut in two at any of sixty chosen bytes",
    ({ name, provider, recording }) => {
      expectSameEvents(
        provider,
        recording,
        chooseOffsets(recording.stdout.length, name).map((offset) => [offset]),
      );
    },
  );

  test.for(large)(
    "$cli $name gives the same events when it is cut at sixty chosen bytes at once",
    ({ name, provider, recording }) => {
      expectSameEvents(provider, recording, [chooseOffsets(recording.stdout.length, name)]);
    },
  );

  test.for(cuttable)("$cli $name gives the same events when it is fed byte by byte", ({ provider, recording }) => {
    expectSameEvents(provider, recording, [allOffsets(recording)]);
  });
});

function expectSameEvents(provider: Provider, recording: Recording, cuts: readonly (readonly number[])[]): void {
  const whole = toUntimed(replayRecording(provider, recording));
  for (const splitAt of cuts) {
    const pieces = toUntimed(replayRecording(provider, recording, { splitAt }));
    if (pieces === whole) continue;
    expect(JSON.parse(pieces), `cut at ${splitAt.slice(0, 5).join(", ")}`).toStrictEqual(JSON.parse(whole));
    expect(pieces, `cut at ${splitAt.slice(0, 5).join(", ")}`).toBe(whole);
  }
}

// The id of a run is made anew for each replay; it says nothing about what was read.
const unread = new Set(["atMs", "durationMs", "runId"]);

function toUntimed(runs: readonly (readonly RunEvent[])[]): string {
  const kept = runs.map((events) => events.map((event) => Object.entries(event).filter(([key]) => !unread.has(key))));
  return JSON.stringify(kept);
}

function allOffsets(recording: Recording): readonly number[] {
  return Array.from({ length: recording.stdout.length - 1 }, (_, index) => index + 1);
}

/** Sixty different offsets, in order, the same in every run of the tests. */
function chooseOffsets(length: number, seedText: string): readonly number[] {
  const next = createGenerator(seedText);
  const offsets = new Set<number>();
  while (offsets.size < sampledCuts) offsets.add(1 + Math.floor(next() * (length - 1)));
  return [...offsets].sort((left, right) => left - right);
}

/** Numbers from 0 to 1 by the mulberry32 method, seeded by a text. */
function createGenerator(seedText: string): () => number {
  let state = [...seedText].reduce(
    (hash, character) => Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16_777_619),
    2_166_136_261,
  );
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
