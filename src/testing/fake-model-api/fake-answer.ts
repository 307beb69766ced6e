import type { JsonValue } from "../../spec/json.ts";
import type { FakeApiRequest } from "./fake-api-request.ts";

/** The reported tokens of a fake answer; the input includes the cache counts, and the output includes the reasoning tokens. */
export type FakeUsage = {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  readonly reasoningTokens?: number;
};

/**
 * The number of deltas of a streamed text, or the deltas themselves; by default four, or more of 4,096 characters for a long
 * text.
 */
type Pacing = {
  readonly deltas?: number | readonly string[];
  /** The delay between two deltas. */
  readonly delayMs?: number;
};

type Reported = { readonly usage?: FakeUsage };

export type FakeToolCall = {
  readonly name: string;
  /** A string is sent unchanged: invalid JSON, or the free text of a custom tool. */
  readonly input: JsonValue;
  /** A new unique id by default. */
  readonly id?: string;
  /** The server of the tool, for a protocol that names it separately (Responses). */
  readonly namespace?: string;
};

/** An error event of a stream: the vendor's type or code, and the message. */
export type FakeStreamError = { readonly code: string; readonly message: string };

/** An HTTP error response; the default body is the vendor's for that status. */
export type FakeHttpError = {
  readonly kind: "http-error";
  readonly status: number;
  /** A string is sent unchanged, any other value as JSON. */
  readonly body?: JsonValue;
  readonly headers?: Readonly<Record<string, string>>;
};

export type FakeReply =
  | ({ readonly kind: "text"; readonly text: string } & Pacing & Reported)
  | ({ readonly kind: "reasoning"; readonly reasoning: string; readonly text: string } & Pacing & Reported)
  /** Several calls are made in parallel; the client asks again with their results. */
  | ({ readonly kind: "tool-calls"; readonly text?: string; readonly calls: readonly FakeToolCall[] } & Reported)
  /** The vendor's filter stops the answer, after the text if there is any. */
  | ({ readonly kind: "refusal"; readonly text?: string } & Reported)
  | ({ readonly kind: "max-tokens"; readonly text: string } & Pacing & Reported)
  /** A successful end without content. */
  | ({ readonly kind: "empty" } & Reported);

export type FakeAnswer =
  | FakeReply
  | FakeHttpError
  /** An error event in the stream; an HTTP error for a request that does not stream. */
  | { readonly kind: "stream-error"; readonly afterText?: string; readonly error: FakeStreamError }
  /** Sends nothing more until a side closes the connection; without text and call the response does not begin. */
  | { readonly kind: "stall"; readonly afterText?: string; readonly afterCall?: FakeToolCall }
  /** Destroys the connection; without text, before the response begins. */
  | { readonly kind: "cut"; readonly afterText?: string }
  /** Status 200 with a body that is not of the protocol; HTML by default. */
  | { readonly kind: "garbage"; readonly body: string; readonly contentType?: string }
  /** Begins a valid stream and then sends an event that cannot be parsed. */
  | { readonly kind: "garbled-stream" };

/** One answer for all requests, a list with one for each request (the last repeats), or a function of the request. */
export type FakeAnswers = FakeAnswer | readonly FakeAnswer[] | ((request: FakeApiRequest, index: number) => FakeAnswer);

/** One block of an answer, in the pieces of its stream. */
export type ReplyPart =
  | { readonly type: "reasoning"; readonly pieces: readonly string[] }
  | { readonly type: "text"; readonly pieces: readonly string[] }
  | CallPart;

export type CallPart = { readonly type: "tool-call"; readonly call: FakeToolCall; readonly pieces: readonly string[] };

/** An answer of the model, independent of a protocol; with the end `open` it stops after its last delta. */
export type Reply = {
  readonly parts: readonly ReplyPart[];
  readonly end: "stop" | "tool-calls" | "content-filter" | "length" | "open";
  readonly usage: Required<FakeUsage>;
  readonly delayMs: number;
};

const usualUsage = { inputTokens: 100, outputTokens: 20, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };

export type WholeReply = Reply & { readonly end: Exclude<Reply["end"], "open"> };

export function toReply(answer: FakeReply): WholeReply {
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
      return { ...common, parts: answer.text === undefined ? [] : [toTextPart({ text: answer.text })], end: "content-filter" };
    case "max-tokens":
      return { ...common, parts: [toTextPart(answer)], end: "length" };
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

function toCharacterStart(text: string, index: number): number {
  const splits = /[\uD800-\uDBFF]/.test(text.charAt(index - 1)) && /[\uDC00-\uDFFF]/.test(text.charAt(index));
  return splits ? index + 1 : index;
}
