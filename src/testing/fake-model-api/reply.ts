import type { FakeReply, FakeToolCall, FakeUsage } from "./fake-answer.ts";
import { splitText } from "./split-text.ts";

/** One block of an answer, in the pieces of its stream. */
export type ReplyPart =
  | { readonly type: "reasoning"; readonly pieces: readonly string[] }
  | { readonly type: "text"; readonly pieces: readonly string[] }
  | CallPart;

/** A tool call with its input in pieces. */
export type CallPart = { readonly type: "tool-call"; readonly call: FakeToolCall; readonly pieces: readonly string[] };

/** An answer of the model, independent of a protocol; with the end `open` it stops after its last delta. */
export type Reply = {
  readonly parts: readonly ReplyPart[];
  readonly end: "stop" | "tool-calls" | "refusal" | "max-tokens" | "open";
  readonly usage: Required<FakeUsage>;
  readonly delayMs: number;
};

const usualUsage = { inputTokens: 100, outputTokens: 20, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };

/** Converts a fake answer to a reply. */
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
