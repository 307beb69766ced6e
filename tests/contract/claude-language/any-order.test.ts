import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RunEvent } from "../../../src/spec/events.ts";
import type { JsonObject } from "../../../src/spec/json.ts";
import { assistant, blockStart, blockStop, init, inputDelta, messageStart, result, synthetic, system, text, textDelta, thinking, thinkingDelta, toolResult, toolUse } from "./lines.ts";
import { type Line, replayLines, replayTurn } from "./replay-lines.ts";

const messageId = fc.constantFrom("m1", "m2", "m3");
const toolId = fc.constantFrom("t1", "t2", "t3");
const parent = fc.constantFrom(null, null, "t1", "t9");
const index = fc.constantFrom(0, 1, 2);
const words = fc.constantFrom("", "a", "b", "ab", "ba", "aba");

const line: fc.Arbitrary<Line> = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(messageId, parent).map(([id, of]) => messageStart(id, of)) },
  { weight: 5, arbitrary: fc.tuple(index, words, parent).map(([at, piece, of]) => textDelta(at, piece, of)) },
  { weight: 5, arbitrary: fc.tuple(messageId, words, parent).map(([id, said, of]) => assistant(id, [text(said)], of)) },
  { weight: 3, arbitrary: fc.tuple(index, parent).map(([at, of]) => blockStop(at, of)) },
  { weight: 2, arbitrary: fc.tuple(index, parent).map(([at, of]) => blockStart(at, text(""), of)) },
  { weight: 2, arbitrary: fc.tuple(index, toolId, parent).map(([at, id, of]) => blockStart(at, toolUse(id, {}), of)) },
  { weight: 2, arbitrary: fc.tuple(index, words, parent).map(([at, piece, of]) => inputDelta(at, piece, of)) },
  { weight: 2, arbitrary: fc.tuple(messageId, toolId, parent).map(([id, tool, of]) => assistant(id, [toolUse(tool, { id })], of)) },
  { weight: 2, arbitrary: fc.tuple(toolId, parent).map(([id, of]) => toolResult(id, "out", of)) },
  { weight: 1, arbitrary: fc.tuple(index, words, parent).map(([at, piece, of]) => thinkingDelta(at, piece, of)) },
  { weight: 1, arbitrary: fc.tuple(messageId, words, parent).map(([id, said, of]) => assistant(id, [thinking(said)], of)) },
  { weight: 1, arbitrary: fc.constantFrom<Line>(init(), synthetic("x", "server_error"), system("status"), "noise", { type: "new" }) },
);

const output = fc.array(line, { maxLength: 14 });
const runs = { seed: 20_260_115, numRuns: 3000 };

/** The text of the last main message that was not reset, as the events tell it. */
function lastMainText(events: readonly RunEvent[]): string | undefined {
  const texts = new Map<string, string>();
  for (const event of events) {
    if (event.parentToolId !== undefined) continue;
    if (event.type === "text-delta") texts.set(event.messageId, (texts.get(event.messageId) ?? "") + event.text);
    if (event.type === "text-reset") texts.delete(event.messageId);
  }
  return [...texts.values()].at(-1);
}

describe("lines in any order", () => {
  test("give sound events and the declared answer", () => {
    fc.assert(
      fc.property(output, words, (lines, answer) => {
        const run = replayTurn([...lines, result(answer)]);
        expect(run.result.text).toBe(answer);
        expect(run.result.failure).toBe(undefined);
      }),
      runs,
    );
  });

  test("give sound events and the last text that holds as partial text when there is no result", () => {
    fc.assert(
      fc.property(output, fc.constantFrom({ exitCode: 1 }, { exitCode: 0 }, { signal: "SIGKILL" }), (lines, ending) => {
        const run = replayTurn(lines, ending);
        expect(run.result.text).toBe("");
        expect(run.result.failure?.partialText).toBe(lastMainText(run.raw));
      }),
      runs,
    );
  });

  test("give as many runs as there are results, each with its own answer", () => {
    const closing = words.map((answer): JsonObject => result(answer));
    fc.assert(
      fc.property(fc.array(fc.tuple(output, closing), { minLength: 1, maxLength: 4 }), (turns) => {
        const replayed = replayLines(turns.flatMap(([lines, end]) => [...lines, end]));
        expect(replayed.map((run) => run.result.text)).toStrictEqual(turns.map(([, end]) => end["result"]));
      }),
      { ...runs, numRuns: 600 },
    );
  });
});
