import type { RunRequest } from "../spec/request.ts";
import type { RunResult } from "../spec/result.ts";
import type { RunEvent } from "../spec/wire/events.ts";
import { estimateTokens, estimateUsage } from "../spec/wire/usage.ts";
import type { AnswerPart } from "./answer-part.ts";
import { SEPARATOR, StopSequences } from "./shown-text.ts";

type Spoken = { readonly type: "text" | "reasoning"; readonly messageId: string; readonly pieces: string[] };

/** Collects an answer that is passed on as a whole: what an attempt said before it was repeated is not part of it. */
export class WholeAnswer {
  private readonly entries: (Spoken | AnswerPart)[] = [];

  push(type: Spoken["type"], messageId: string, text: string): void {
    const last = this.entries.at(-1);
    if (last !== undefined && "pieces" in last && last.type === type && last.messageId === messageId) last.pieces.push(text);
    else this.entries.push({ type, messageId, pieces: [text] });
  }

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

/**
 * The result of an answer that ended at a stop sequence; what the model wrote behind it, calls included, is not part of it. A CLI that was
 * stopped there has reported no usage, so it is estimated.
 */
export function stoppedResult(stopped: RunResult, asked?: RunRequest): RunResult {
  const { failure, hostCalls: _, invalidCalls: __, ...result } = stopped;
  const inputTokens = asked === undefined ? undefined : estimateInput(asked);
  return { ...result, finish: "stop", usage: result.usage ?? estimateUsage(failure?.partialText ?? result.text, inputTokens) };
}

/** The result of a run that failed, but whose failure is an answer in the APIs of vendors: a refusal, and a text that was cut at its limit. */
export function answeredResult(result: RunResult): RunResult {
  const { failure, ...answer } = result;
  const text = failure?.partialText ?? "";
  if (failure?.code === "refused") return { ...answer, finish: "content-filter", text };
  const isCut = result.finish === "length" && failure?.code === "output-truncated" && failure.partialText !== undefined;
  return isCut ? { ...answer, text } : result;
}

type TextDelta = Extract<RunEvent, { type: "text-delta" }>;

/** The events of a batch, with the adjacent text of one message as one event: a backlog has hundreds of them in a batch. */
export function joinText(batch: readonly RunEvent[]): readonly RunEvent[] {
  const joined: RunEvent[] = [];
  for (let at = 0; at < batch.length; at += 1) {
    const event = batch[at];
    if (event === undefined) continue;
    if (event.type !== "text-delta" || !isSameText(batch[at + 1], event)) {
      joined.push(event);
      continue;
    }
    const texts = [event.text];
    for (let next = batch[at + 1]; isSameText(next, event); next = batch[at + 1]) {
      texts.push(next.text);
      at += 1;
    }
    joined.push({ ...event, text: texts.join("") });
  }
  return joined;
}

function isSameText(next: RunEvent | undefined, { messageId, parentToolId }: TextDelta): next is TextDelta {
  return next?.type === "text-delta" && next.messageId === messageId && next.parentToolId === parentToolId;
}

/** An image costs about this many tokens; the API resizes larger ones. */
const IMAGE_TOKENS = 1600;

/** Estimates the input tokens of a request: those of its texts, and a constant for each image. */
export function estimateInput({ system = "", prompt = "", messages = [], tools = [], outputSchema }: RunRequest): number {
  let characters = system.length + prompt.length + (tools.length === 0 ? 0 : JSON.stringify(tools).length);
  if (outputSchema !== undefined) characters += JSON.stringify(outputSchema).length;
  let images = 0;
  for (const message of messages) {
    characters += message.text.length;
    if (message.role === "assistant" && message.toolCalls !== undefined) characters += JSON.stringify(message.toolCalls).length;
    images += message.images?.length ?? 0;
  }
  return estimateTokens(characters) + images * IMAGE_TOKENS;
}
