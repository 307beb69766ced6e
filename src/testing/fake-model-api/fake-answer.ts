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
