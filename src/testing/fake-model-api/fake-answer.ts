import type { JsonValue } from "../../spec/json.ts";
import type { FakeApiRequest } from "./fake-api-request.ts";

/** Tokens a fake answer reports; the cache counts are parts of the input, the reasoning tokens a part of the output. */
export type FakeUsage = {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  readonly reasoningTokens?: number;
};

/** How a streamed text is cut into deltas: how many, or which; four, or as many of 4,096 characters as it takes, unless said. */
type Pacing = {
  readonly deltas?: number | readonly string[];
  /** The wait between two deltas. */
  readonly delayMs?: number;
};

type Reported = { readonly usage?: FakeUsage };

/** One call of a tool by the model. */
export type FakeToolCall = {
  readonly name: string;
  /** A string is sent as it is: input that is no JSON, or the free text that a custom tool takes. */
  readonly input: JsonValue;
  /** Unique by itself when not given. */
  readonly id?: string;
  /** Where the protocol names the server of a tool apart from the tool (Responses). */
  readonly namespace?: string;
};

/** An error as it is told inside a stream: the vendor's type or code, and the words. */
export type FakeStreamError = { readonly code: string; readonly message: string };

/** An HTTP response that is no answer of the model; without a body the vendor's own for that status. */
export type FakeHttpError = {
  readonly kind: "http-error";
  readonly status: number;
  /** A string is sent as it is, anything else as JSON. */
  readonly body?: JsonValue;
  readonly headers?: Readonly<Record<string, string>>;
};

/** What the model is made to say, whole. */
export type FakeReply =
  | ({ readonly kind: "text"; readonly text: string } & Pacing & Reported)
  | ({ readonly kind: "reasoning"; readonly reasoning: string; readonly text: string } & Pacing & Reported)
  /** Several calls are made in parallel; the client asks again with their results. */
  | ({ readonly kind: "tool-calls"; readonly text?: string; readonly calls: readonly FakeToolCall[] } & Reported)
  /** The vendor's filter stops the answer, after the text if there is any. */
  | ({ readonly kind: "refusal"; readonly text?: string } & Reported)
  | ({ readonly kind: "max-tokens"; readonly text: string } & Pacing & Reported)
  /** A good end without any content. */
  | ({ readonly kind: "empty" } & Reported);

/** One answer to a request for the model. */
export type FakeAnswer =
  | FakeReply
  | FakeHttpError
  /** An error event inside the stream; as an HTTP error to a request that does not stream. */
  | { readonly kind: "stream-error"; readonly afterText?: string; readonly error: FakeStreamError }
  /** Goes silent until the client leaves or the server cuts; without text and call not even the response begins. */
  | { readonly kind: "stall"; readonly afterText?: string; readonly afterCall?: FakeToolCall }
  /** Destroys the connection; without text before the response begins. */
  | { readonly kind: "cut"; readonly afterText?: string }
  /** Status 200 with something else than the protocol, HTML unless said. */
  | { readonly kind: "garbage"; readonly body: string; readonly contentType?: string }
  /** Begins as the protocol says and then sends what cannot be parsed. */
  | { readonly kind: "garbled-stream" };

/** One answer for all requests, one for each in turn (the last repeats), or a choice by the request. */
export type FakeAnswers = FakeAnswer | readonly FakeAnswer[] | ((request: FakeApiRequest, index: number) => FakeAnswer);
