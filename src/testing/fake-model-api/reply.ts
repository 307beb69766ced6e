import type { FakeReply, FakeToolCall, FakeUsage } from "./fake-answer.ts";
import { splitText } from "./split-text.ts";

/** One thing the model says, in the pieces it is streamed in. */
export type ReplyPart =
  | { readonly type: "reasoning"; readonly pieces: readonly string[] }
  | { readonly type: "text"; readonly pieces: readonly string[] }
  | CallPart;

/** A call of a tool, with its input in pieces. */
export type CallPart = { readonly type: "tool-call"; readonly call: FakeToolCall; readonly pieces: readonly string[] };

/** An answer of the model, free of any protocol; one whose end is `open` breaks off after its last delta. */
export type Reply = {
  readonly parts: readonly ReplyPart[];
  readonly end: "stop" | "tool-calls" | "refusal" | "max-tokens" | "open";
  readonly usage: Required<FakeUsage>;
  readonly delayMs: number;
};

const usualUsage = { inputTokens: 100, outputTokens: 20, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };

/** What the model says in the given answer. */
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
      const said = answer.text === undefined ? [] : [toTextPart({ text: answer.text })];
      return { ...common, parts: [...said, ...answer.calls.map(toCallPart)], end: "tool-calls" };
    }
    case "refusal":
      return { ...common, parts: answer.text === undefined ? [] : [toTextPart({ text: answer.text })], end: "refusal" };
    case "max-tokens":
      return { ...common, parts: [toTextPart(answer)], end: "max-tokens" };
    case "empty":
      return { ...common, parts: [], end: "stop" };
  }
}

/** A reply that breaks off after the given text and call, or before any. */
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
