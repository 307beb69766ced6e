import { describe, expect, it } from "vitest";
import { modelRequestsOf } from "../../support/real-clis/model-request.ts";
import type { MatrixRow } from "../../support/real-clis/rows/matrix-row.ts";
import { digestOf, toLargeText } from "../large-text.ts";
import { eventsOf, openRealCli, type RealRun } from "../open-real-cli.ts";
import { expectGivenOnly } from "./expect-given-only.ts";

const MEBIBYTE = 1_048_576;

/** A long answer arrives whole each time: a CLI that exits before its pipe is drained does so only in some runs. */
export function describeLargeAnswer({ name }: MatrixRow, times: number): void {
  describe(`a large answer of real ${name}`, () => {
    it(`an answer of 5 MB of ${name} arrives whole, ${times} of ${times} times`, async () => {
      const text = toLargeText(5 * MEBIBYTE);
      const cli = await openRealCli(name, { kind: "text", text });
      for (let time = 0; time < times; time += 1) {
        const run = await cli.run({ prompt: "Tell me everything." });
        expectWhole(run, text);
      }
    });
  });
}

/** The longest prompt and a long answer arrive whole; one run has both. */
export function describeSizes(row: MatrixRow): void {
  const { name } = row;
  const { limits } = row.providerAt("").transports.spawn;
  const longest = row.longestPrompt?.bytes ?? limits.promptBytes;

  describe(`large texts of real ${name}`, () => {
    it(`a prompt of ${longest} bytes reaches the model of ${name} whole, its answer of 5 MB arrives whole, and a prompt over the limit is refused`, async () => {
      const prompt = numbered(longest);
      const text = toLargeText(5 * MEBIBYTE);
      const cli = await openRealCli(name, { kind: "text", text });
      const run = await cli.run({ prompt });
      expect(run.failure).toBeUndefined();
      expectWhole(run, text);
      const [request] = modelRequestsOf(cli);
      if (request === undefined) throw new Error("no request for the model arrived");
      expectGivenOnly(row, request, { prompt });
      const over = await cli.run({ prompt: "x".repeat(limits.promptBytes + 1) });
      expect(over.failure).toMatchObject({ category: "validation", code: "prompt-too-large" });
      expect(over.events).toHaveLength(2);
    });
  });
}

function expectWhole(run: RealRun, text: string): void {
  const pieces = eventsOf(run, "text-delta").map((event) => event.text);
  expect([digestOf(run.result.text), digestOf(pieces.join(""))]).toEqual([digestOf(text), digestOf(text)]);
  expect(run.result.warnings).toEqual([]);
}

/** Numbered lines, so that a lost, doubled or moved piece is visible; no space at either end. */
function numbered(length: number): string {
  return Array.from({ length: Math.ceil(length / 10) }, (_, index) => `${index}\n`.padStart(10, "."))
    .join("")
    .slice(0, length - 1)
    .concat("!");
}
