import fc from "fast-check";
import { expect, it } from "vitest";
import type { JsonValue } from "../../spec/json.ts";
import type { OutputFormat } from "../../spec/wire/wire.ts";
import { createNativeReader } from "./native-reader.ts";

const LIMIT = 24;

it.each([
  ["in ASCII", (bytes: number) => "x".repeat(bytes)],
  ["of two-byte characters", (bytes: number) => "é".repeat(bytes >> 1) + "x".repeat(bytes % 2)],
  ["of three-byte characters", (bytes: number) => "你".repeat(Math.floor(bytes / 3)) + "x".repeat(bytes % 3)],
  ["of four-byte characters", (bytes: number) => "👍".repeat(bytes >> 2) + "x".repeat(bytes % 4)],
])("a line %s is read at the limit and dropped one byte over it, for any chunk boundaries", (_name, lineOf) => {
  const [fits, over] = [lineOf(LIMIT), lineOf(LIMIT + 1)];
  expect([Buffer.byteLength(fits), Buffer.byteLength(over)]).toEqual([LIMIT, LIMIT + 1]);
  forEachSplit(`${fits}\n${over}\n${fits}\n`, (chunks) => {
    expect(read("stream-json", chunks)).toEqual({ values: [fits, fits], dropped: [LIMIT + 1] });
  });
});

it("an object is read at the limit and dropped whole one byte over it", () => {
  const value = { text: "x".repeat(LIMIT - 11) };
  const line = JSON.stringify(value);
  expect(line).toHaveLength(LIMIT);
  forEachSplit(`${line}\n${line} \n${line}`, (chunks) => {
    expect(read("stream-json", chunks)).toEqual({ values: [value, value], dropped: [LIMIT + 1] });
  });
});

it("the last line is measured even when no newline follows", () => {
  forEachSplit(`a\n${"x".repeat(LIMIT)}`, (chunks) => {
    expect(read("stream-json", chunks)).toEqual({ values: ["a", "x".repeat(LIMIT)], dropped: [] });
  });
  forEachSplit(`a\n${"x".repeat(LIMIT + 1)}`, (chunks) => {
    expect(read("stream-json", chunks)).toEqual({ values: ["a"], dropped: [LIMIT + 1] });
  });
});

it("a dropped line is reported once, with all its bytes", () => {
  const line = "é".repeat(500);
  forEachSplit(`${line}\nafter\n`, (chunks) => {
    expect(read("stream-json", chunks)).toEqual({ values: ["after"], dropped: [1_000] });
  });
});

it("many short lines in one chunk do not count as a long line", () => {
  const text = "short\n".repeat(100);
  expect(read("stream-json", [Buffer.from(text)])).toEqual({ values: Array.from({ length: 100 }, () => "short"), dropped: [] });
});

it("lines and their lengths do not depend on the chunk boundaries", () => {
  const line = fc.string({ unit: fc.constantFrom("a", "é", "你", "👍", "\r", "{", '"'), maxLength: LIMIT + 4 });
  fc.assert(
    fc.property(fc.array(line, { maxLength: 8 }), fc.array(fc.nat(200), { maxLength: 12 }), (lines, cuts) => {
      const bytes = Buffer.from(lines.join("\n"));
      expect(read("stream-json", split(bytes, cuts))).toEqual(read("stream-json", [bytes]));
    }),
    { seed: 20260, numRuns: 400 },
  );
});

it.each<OutputFormat>(["json", "text"])("%s is read at the limit and dropped one byte over it, however it is split", (format) => {
  forEachSplit("é".repeat(LIMIT / 2), (chunks) => {
    expect(read(format, chunks)).toEqual({ values: ["é".repeat(LIMIT / 2)], dropped: [] });
  });
  forEachSplit(`${"é".repeat(LIMIT / 2)}x`, (chunks) => {
    expect(read(format, chunks)).toEqual({ values: [], dropped: [LIMIT + 1] });
  });
});

function forEachSplit(text: string, check: (chunks: readonly Uint8Array[]) => void): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at <= bytes.length; at += 1) check([bytes.subarray(0, at), bytes.subarray(at)]);
  check([bytes]);
  check(text.split(/(?<=\n)/).map((line) => Buffer.from(line)));
  check(Array.from(bytes, (_, at) => bytes.subarray(at, at + 1)));
}

function split(bytes: Uint8Array, cuts: readonly number[]): readonly Uint8Array[] {
  const offsets = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).toSorted((left, right) => left - right), bytes.length];
  return offsets.slice(1).map((offset, index) => bytes.subarray(offsets[index], offset));
}

function read(format: OutputFormat, chunks: readonly Uint8Array[]): { values: JsonValue[]; dropped: number[] } {
  const values: JsonValue[] = [];
  const dropped: number[] = [];
  const reader = createNativeReader(format, {
    lineBytes: LIMIT,
    onValue: (value) => values.push(value),
    onDropped: ({ bytes, limit }) => dropped.push(limit === "length" ? bytes : -bytes),
  });
  for (const chunk of chunks) reader.push(chunk);
  reader.end();
  return { values, dropped };
}
