import { describe, expect, test } from "vitest";
import { createNativeReader } from "../../src/process/channel/native-reader.ts";
import { type Recording, replayRecording } from "../../src/replay/replay.ts";
import { DEFAULT_LINE_BYTES } from "../../src/request/defaults.ts";
import type { RunEvent } from "../../src/spec/wire/events.ts";
import type { OutputFormat } from "../../src/spec/wire/wire.ts";
import { type RecordedCliCase, recordedCliCases, runsOf } from "../support/recordings/recorded-clis.ts";
import { chooseOffsets } from "./choose-offsets.ts";

const exhaustiveBytes = 6 * 1024;
const sampledCuts = 60;
const mostPieces = 250_000;
const hangGuardMs = 300_000;

// Output of less than two bytes cannot be cut.
const cuttable = recordedCliCases.filter(({ recording }) => recording.stdout.length >= 2);
const roomy = cuttable.filter(({ recording }) => recording.stdout.length > sampledCuts);
const small = cuttable.filter(({ recording }) => recording.stdout.length <= exhaustiveBytes);

// Only the reader of native values sees where bytes were cut, so it alone is tested with every cut. The wires
// are tested with sixty chosen cuts at once, with the 39 cuts of the provider contract, and with single bytes.
describe("where the output is cut into chunks does not matter", { timeout: hangGuardMs }, () => {
  test.for(small)("$cli $name gives the same values when it is cut in two at any byte", ({ recording }) => {
    for (const passage of toPassages(recording)) expectSameValues(recording.format, passage);
  });

  test.for(roomy)("$cli $name gives the same events when it is cut at sixty chosen bytes at once", (recorded) => {
    const { name, recording } = recorded;
    expectSameEvents(recorded, chooseOffsets(recording.stdout.length, { seed: name, count: sampledCuts }));
  });

  test.for(cuttable)("$cli $name gives the same events when it is fed byte by byte, the longest by a few bytes", (recorded) => {
    // In longer output the same kinds of lines repeat.
    const pieceBytes = Math.ceil(recorded.recording.stdout.length / mostPieces);
    const cuts = Math.ceil(recorded.recording.stdout.length / pieceBytes) - 1;
    expectSameEvents(
      recorded,
      Array.from({ length: cuts }, (_, index) => (index + 1) * pieceBytes),
    );
  });
});

const lineBefore = Buffer.from('{"before":"é"}\n');
const lineAfter = Buffer.from('{"after":1}\n');

/** Bytes that are read separately; they are cut at every byte between two offsets. */
type Passage = { readonly bytes: Buffer; readonly from: number; readonly to: number };

/** Each line with its newline between two other lines; the whole output if it is not read by lines. */
function toPassages({ format, stdout }: Recording): readonly Passage[] {
  const output = Buffer.from(stdout);
  if (format !== "stream-json") return [{ bytes: output, from: 1, to: output.length - 1 }];
  return toLines(output).map((line) => {
    const bytes = Buffer.concat([lineBefore, line, lineAfter]);
    return { bytes, from: lineBefore.length, to: lineBefore.length + line.length };
  });
}

function toLines(output: Buffer): readonly Buffer[] {
  const lines: Buffer[] = [];
  for (let from = 0; from < output.length; ) {
    const to = output.indexOf("\n", from) + 1 || output.length;
    lines.push(output.subarray(from, to));
    from = to;
  }
  return lines;
}

// Recordings of one CLI share many lines; outside of terminal codes the reader treats all ASCII letters and digits alike.
const judged = new Set<string>();

function expectSameValues(format: OutputFormat, { bytes, from, to }: Passage): void {
  const text = bytes.toString("latin1");
  const key = `${format} ${text.includes("\u001b") ? text : text.replaceAll(/[a-zA-Z0-9]/g, "a")}`;
  if (judged.has(key)) return;
  const whole = readValues(format, [bytes]);
  for (let offset = from; offset <= to; offset += 1) {
    const pieces = readValues(format, [bytes.subarray(0, offset), bytes.subarray(offset)]);
    if (pieces === whole) continue;
    expect(JSON.parse(pieces), `cut at ${offset}`).toStrictEqual(JSON.parse(whole));
    expect(pieces, `cut at ${offset}`).toBe(whole);
  }
  judged.add(key);
}

function readValues(format: OutputFormat, chunks: readonly Uint8Array[]): string {
  const read: unknown[] = [];
  const reader = createNativeReader(format, {
    lineBytes: DEFAULT_LINE_BYTES,
    onValue: (native) => read.push(native),
    onDropped: (bytes) => read.push({ dropped: bytes }),
  });
  for (const chunk of chunks) reader.push(chunk);
  reader.end();
  return JSON.stringify(read);
}

function expectSameEvents(recorded: RecordedCliCase, splitAt: readonly number[]): void {
  const whole = toUntimed(runsOf(recorded));
  const pieces = toUntimed(replayRecording(recorded.provider, recorded.recording, { splitAt }));
  if (pieces === whole) return;
  expect(JSON.parse(pieces)).toStrictEqual(JSON.parse(whole));
  expect(pieces).toBe(whole);
}

// Each replay has a new run id, which is not compared.
const unread = new Set(["atMs", "durationMs", "runId"]);

function toUntimed(runs: readonly (readonly RunEvent[])[]): string {
  const kept = runs.map((events) => events.map((event) => Object.entries(event).filter(([key]) => !unread.has(key))));
  return JSON.stringify(kept);
}
