import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/spec/json.ts";
import type { RunEvent } from "../../../src/spec/wire/events.ts";
import {
  assistant,
  blockStart,
  blockStop,
  init,
  inputDelta,
  messageStart,
  type Parent,
  result,
  synthetic,
  system,
  text,
  textDelta,
  thinking,
  thinkingDelta,
  toolResult,
  toolUse,
} from "./lines.ts";
import { type Line, replayLines, replayTurn } from "./replay-lines.ts";

const index = fc.constantFrom(0, 1, 2);
const words = fc.constantFrom("", "a", "b", "ab", "ba", "aba");

/** Lines of one conversation; its ids are used in no other, as those of the API are. */
function linesOf(of: Parent, prefix: string): fc.Arbitrary<Line> {
  const message = fc.constantFrom("1", "2", "3").map((id) => `${prefix}-m${id}`);
  const tool = fc.constantFrom("1", "2").map((id) => `${prefix}-t${id}`);
  return fc.oneof(
    { weight: 3, arbitrary: message.map((id) => messageStart(id, of)) },
    { weight: 6, arbitrary: fc.tuple(index, words).map(([at, piece]) => textDelta(at, piece, of)) },
    { weight: 5, arbitrary: fc.tuple(message, words).map(([id, said]) => assistant(id, [text(said)], of)) },
    { weight: 3, arbitrary: index.map((at) => blockStop(at, of)) },
    { weight: 2, arbitrary: index.map((at) => blockStart(at, text(""), of)) },
    { weight: 2, arbitrary: fc.tuple(index, tool).map(([at, id]) => blockStart(at, toolUse(id, {}), of)) },
    { weight: 2, arbitrary: fc.tuple(index, words).map(([at, piece]) => inputDelta(at, piece, of)) },
    { weight: 2, arbitrary: fc.tuple(message, tool).map(([id, called]) => assistant(id, [toolUse(called, { id })], of)) },
    { weight: 2, arbitrary: tool.map((id) => toolResult(id, "out", of)) },
    { weight: 1, arbitrary: fc.tuple(index, words).map(([at, piece]) => thinkingDelta(at, piece, of)) },
    { weight: 1, arbitrary: fc.tuple(message, words).map(([id, said]) => assistant(id, [thinking(said)], of)) },
  );
}

const others = fc.constantFrom<Line>(init(), synthetic("x", "server_error"), system("status"), "noise", { type: "new" });
const line = fc.oneof(
  { weight: 6, arbitrary: linesOf(null, "main") },
  { weight: 2, arbitrary: linesOf("main-t1", "one") },
  { weight: 1, arbitrary: linesOf("main-t2", "two") },
  { weight: 1, arbitrary: others },
);
// Each conversation begins with a message, so that every piece belongs to one.
const beginnings = [messageStart("main-m0"), messageStart("one-m0", "main-t1"), messageStart("two-m0", "main-t2")];
const output = fc.array(line, { maxLength: 14 }).map((lines) => [...beginnings, ...lines]);
const runs = { seed: 20_260_115, numRuns: 3000 };

/** The possible last main texts that were not reset: that of the message which began last, or which had text last. */
function lastMainTexts(events: readonly RunEvent[]): readonly (string | undefined)[] {
  const texts = new Map<string, string>();
  const spoken: string[] = [];
  for (const event of events) {
    if (event.parentToolId !== undefined) continue;
    if (event.type === "text-reset") texts.delete(event.messageId);
    if (event.type !== "text-delta") continue;
    texts.set(event.messageId, (texts.get(event.messageId) ?? "") + event.text);
    spoken.push(event.messageId);
  }
  const lastSpoken = spoken.findLast((id) => texts.has(id));
  return [[...texts.values()].at(-1), lastSpoken === undefined ? undefined : texts.get(lastSpoken)];
}

describe("lines in any order", () => {
  test("give valid events and the declared answer", () => {
    fc.assert(
      fc.property(output, words, (lines, answer) => {
        const run = replayTurn([...lines, result(answer)]);
        expect(run.result.text).toBe(answer);
        expect(run.result.failure).toBe(undefined);
      }),
      runs,
    );
  });

  test("give valid events, and the last text that was not reset as partial text when there is no result", () => {
    fc.assert(
      fc.property(output, fc.constantFrom({ exitCode: 1 }, { exitCode: 0 }, { signal: "SIGKILL" }), (lines, ending) => {
        const run = replayTurn(lines, ending);
        expect(run.result.text).toBe("");
        expect(lastMainTexts(run.raw)).toContain(run.result.failure?.partialText);
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
