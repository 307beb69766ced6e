import type { RunEvent } from "../spec/wire/events.ts";
import type { AnswerPart } from "./answer-part.ts";
import { SEPARATOR } from "./shown-text.ts";
import { StopSequences } from "./stop-sequences.ts";

type Spoken = { readonly type: "text" | "reasoning"; readonly messageId: string; readonly pieces: string[] };

/** Collects an answer that is passed on as a whole: what an attempt said before it was repeated is not part of it. */
export class WholeAnswer {
  private readonly entries: (Spoken | AnswerPart)[] = [];

  /** Adds a piece of a message; the messages of one answer are kept apart. */
  push(type: Spoken["type"], messageId: string, text: string): void {
    const last = this.entries.at(-1);
    if (last !== undefined && "pieces" in last && last.type === type && last.messageId === messageId) last.pieces.push(text);
    else this.entries.push({ type, messageId, pieces: [text] });
  }

  /** Adds a part at its place in the answer. */
  add(part: AnswerPart): void {
    this.entries.push(part);
  }

  /** Removes what an event makes void: the text of a message, or the reasoning of an attempt that failed. */
  forget(event: Extract<RunEvent, { type: "text-reset" | "retry" | "fallback" }>): void {
    const isVoid = (entry: Spoken | AnswerPart): boolean => {
      if (!("pieces" in entry)) return false;
      return event.type === "text-reset" ? entry.messageId === event.messageId : entry.type === "reasoning";
    };
    const kept = this.entries.filter((entry) => !isVoid(entry));
    this.entries.splice(0, this.entries.length, ...kept);
  }

  /** The parts in order, up to the first stop sequence in their text. */
  parts(stops: readonly string[]): { readonly parts: readonly AnswerPart[]; readonly stopSequence: string | undefined } {
    const stop = new StopSequences(stops);
    const parts: AnswerPart[] = [];
    let separator = "";
    for (const entry of this.entries) {
      if (stop.reached !== undefined) break;
      if (!("pieces" in entry)) parts.push(entry);
      else if (entry.type === "reasoning") parts.push({ type: "reasoning", text: entry.pieces.join("") });
      else {
        parts.push({ type: "text", text: stop.push(separator + entry.pieces.join("")) });
        separator = SEPARATOR;
      }
    }
    parts.push({ type: "text", text: stop.end() });
    return { parts: parts.filter((part) => !("text" in part) || part.text !== ""), stopSequence: stop.reached };
  }
}
