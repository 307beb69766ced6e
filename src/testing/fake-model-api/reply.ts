import type { FakeReply, FakeToolCall, FakeUsage } from "./fake-answer.ts";

/** One block of an answer, in the pieces of its stream. */
export type ReplyPart =
  | { readonly type: "reasoning"; readonly pieces: readonly string[] }
  | { readonly type: "text"; readonly pieces: readonly string[] }
  | CallPart;

export type CallPart = { readonly type: "tool-call"; readonly call: FakeToolCall; readonly pieces: readonly string[] };

/** An answer of the model, independent of a protocol; with the end `open` it stops after its last delta. */
export type Reply = {
  readonly parts: readonly ReplyPart[];
  readonly end: "stop" | "tool-calls" | "refusal" | "max-tokens" | "open";
  readonly usage: Required<FakeUsage>;
  readonly delayMs: number;
};

const usualUsage = { inputTokens: 100, outputTokens: 20, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };

export function toReply(answer: FakeReply): Reply {
  const common = {
    usage: { ...usualUsage, ...answer.usage },
    delayMs: "delayMs" in answer ? (answer.delayMs ?? 0) : 0,
  };
  switch (answer.kind) {
    case "text":
      return { ...common, parts: [toTextPart(answer)], end: "stop" };
    case "reasoning":
      return { ...common, parts: [{ type: "reasoning", pieces: splitText(answer.reasoning) }, toTextPart(answer)], end: "stop" };
    case "tool-calls": {
      const textParts = answer.text === undefined ? [] : [toTextPart({ text: answer.text })];
      return { ...common, parts: [...textParts, ...answer.calls.map(toCallPart)], end: "tool-calls" };
    }
    case "refusal":
      return { ...common, parts: answer.text === undefined ? [] : [toTextPart({ text: answer.text })], end: "refusal" };
    case "max-tokens":
      return { ...common, parts: [toTextPart(answer)], end: "max-tokens" };
    case "empty":
      return { ...common, parts: [], end: "stop" };
  }
}

/** A reply that stops after the given text and call. */
export function toOpenReply(text: string | undefined, call?: FakeToolCall): Reply {
  const parts = [text === undefined ? [] : [toTextPart({ text })], call === undefined ? [] : [toCallPart(call)]].flat();
  return { parts, end: "open", usage: usualUsage, delayMs: 0 };
}

function toTextPart({ text, deltas }: { readonly text: string; readonly deltas?: number | readonly string[] }): ReplyPart {
  if (typeof deltas === "number" || deltas === undefined) return { type: "text", pieces: splitText(text, deltas) };
  if (deltas.join("") !== text) throw new TypeError("the deltas of a fake answer must together be its text");
  return { type: "text", pieces: deltas };
}

function toCallPart(call: FakeToolCall): ReplyPart {
  return { type: "tool-call", call, pieces: splitText(typeof call.input === "string" ? call.input : JSON.stringify(call.input)) };
}

const usualPieces = 4;
const largestPiece = 4096;

/** Splits a text into pieces of about the same size, never inside a character. */
export function splitText(
  text: string,
  count: number = Math.max(usualPieces, Math.ceil(text.length / largestPiece)),
): readonly string[] {
  const pieces: string[] = [];
  for (let from = 0, piece = 1; from < text.length; piece += 1) {
    const to = toCharacterStart(text, Math.max(from + 1, Math.round((text.length * piece) / count)));
    pieces.push(text.slice(from, to));
    from = to;
  }
  return pieces;
}

/** Moves the position past the second half of a surrogate pair. */
function toCharacterStart(text: string, index: number): number {
  const splits = /[\uD800-\uDBFF]/.test(text.charAt(index - 1)) && /[\uDC00-\uDFFF]/.test(text.charAt(index));
  return splits ? index + 1 : index;
}
