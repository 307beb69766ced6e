import type { RunEvent } from "../spec/events.ts";
import type { RunResult, RunWarning } from "../spec/result.ts";
import type { RunStream } from "../spec/stream.ts";
import { AnswerFacts, type Answering } from "./answer-facts.ts";
import { type AnswerPart, addText, endOf, jsonOf } from "./answer-part.ts";
import type { AnswerReading } from "./read-answer.ts";
import { SEPARATOR } from "./shown-text.ts";
import { StopSequences } from "./stop-sequences.ts";

/** An answer that was read to its end: its parts, the last with the result, the target that gave it, and the warnings of the run. */
export type WholeAnswer = {
  readonly parts: readonly AnswerPart[];
  readonly result: RunResult;
  readonly answering: Answering;
  readonly warnings: readonly RunWarning[];
};

/** A part, and the message of a text. */
type Piece = { readonly part: AnswerPart; readonly messageId?: string };

/**
 * Reads a run for a door that sends nothing before the end. A text that was reset is no part of the answer, so the run may have the
 * context `commit: "end"`. Never rejects: a failure is in the result.
 */
export async function readWholeAnswer(
  run: RunStream,
  { stop = [], isObject = false, objectTools }: AnswerReading = {},
): Promise<WholeAnswer> {
  const facts = new AnswerFacts(objectTools);
  let pieces: Piece[] = [];
  for await (const batch of run.batches()) for (const event of batch) pieces = readEvent(event, pieces, facts);
  const result = await run.outcome();
  const isGood = result.failure === undefined;
  const said = isObject
    ? [...pieces.filter(({ messageId }) => messageId === undefined), ...(isGood ? [textPiece(jsonOf(result), "object")] : [])]
    : pieces;
  const { parts, isStopped } = untilStop(said, stop);
  const ended: RunResult = isStopped && isGood ? { ...result, finish: "stop" } : result;
  const { answering, warnings } = facts;
  return { parts: [...parts, ...endOf(ended, isGood && !isStopped)], result: ended, answering, warnings };
}

function readEvent(event: RunEvent, pieces: Piece[], facts: AnswerFacts): Piece[] {
  if (event.parentToolId !== undefined) return pieces;
  switch (event.type) {
    case "text-delta":
      pieces.push(textPiece(event.text, event.messageId));
      return pieces;
    case "reasoning-delta":
      pieces.push({ part: { type: "reasoning", text: event.text } });
      return pieces;
    case "text-reset":
      return pieces.filter(({ messageId }) => messageId !== event.messageId);
    // The reasoning of an attempt that failed is void with the attempt.
    case "retry":
    case "fallback":
      return pieces.filter(({ part }) => part.type !== "reasoning");
    default: {
      const part = facts.see(event);
      if (part !== undefined) pieces.push({ part });
      return pieces;
    }
  }
}

function textPiece(text: string, messageId: string): Piece {
  return { part: { type: "text", text }, messageId };
}

/** The parts up to the first stop sequence in the text, with the text and the reasoning in a row as one part. */
function untilStop(
  pieces: readonly Piece[],
  stops: readonly string[],
): { readonly parts: AnswerPart[]; readonly isStopped: boolean } {
  const stop = new StopSequences(stops);
  const parts: AnswerPart[] = [];
  let last: string | undefined;
  for (const { part, messageId } of pieces) {
    if (part.type === "reasoning") addText(parts, "reasoning", part.text);
    else if (part.type === "text") {
      const separator = last !== undefined && last !== messageId ? SEPARATOR : "";
      last = messageId;
      addText(parts, "text", stop.push(separator + part.text));
    } else parts.push(part);
    if (stop.isReached) return { parts, isStopped: true };
  }
  addText(parts, "text", stop.end());
  return { parts, isStopped: false };
}
