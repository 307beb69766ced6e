import { type JsonObject, objectOf, stringOf } from "../../spec/json.ts";
import type { FakeHttpError, FakeStreamError, Reply, WholeReply } from "./fake-answer.ts";
import type { FakeApiRequest } from "./fake-api-request.ts";

export type ProtocolEvent = JsonObject;

/** Creates an id that is unique in one server. */
export type NextId = (prefix: string, length: number) => string;

export type ProtocolResponse = {
  readonly headers: Readonly<Record<string, string>>;
  events(reply: Reply): Iterable<ProtocolEvent>;
  errorEvent(error: FakeStreamError): ProtocolEvent;
  whole(reply: WholeReply): JsonObject;
};

export type Framing = {
  frame(event: ProtocolEvent): string;
  readonly garbled: string;
  /** The text after the last event of a successful stream. */
  readonly end: string;
};

export type FakeProtocol = {
  readonly modelPath: RegExp;
  readonly framing: Framing;
  streams(request: FakeApiRequest): boolean;
  /** The response body for a request that is no model request, such as a token count. */
  answerAside?(request: FakeApiRequest): JsonObject | undefined;
  respond(request: FakeApiRequest, nextId: NextId): ProtocolResponse;
  /** True for an event with a piece of the answer. */
  isDelta(event: ProtocolEvent): boolean;
  /** The vendor's HTTP response for one of its error codes. */
  toHttpError(error: FakeStreamError): FakeHttpError;
  toErrorBody(status: number, message: string): JsonObject;
};

/** True if the body has `stream: true`, as in most protocols. */
export function streamsByBody(request: FakeApiRequest): boolean {
  return objectOf(request.body)?.["stream"] === true;
}

export function modelOf({ body }: FakeApiRequest, unnamed: string): string {
  return stringOf(objectOf(body)?.["model"]) ?? unnamed;
}

/** The headers of a vendor's error. */
export type ErrorHeaderOptions = {
  readonly retryAfterSeconds?: number;
  /** Replace the vendor's own headers. */
  readonly headers?: Readonly<Record<string, string>>;
};

/** The response for an error of a vendor; `ownWait` is the vendor's usual wait in seconds. */
export function httpError(
  answer: Required<Pick<FakeHttpError, "status" | "body" | "headers">>,
  { retryAfterSeconds, headers }: ErrorHeaderOptions,
  ownWait?: number,
): FakeHttpError {
  const wait = retryAfterSeconds ?? ownWait;
  const waits = wait !== undefined && { "retry-after": String(wait) };
  return { kind: "http-error", ...answer, headers: { ...answer.headers, ...waits, ...headers } };
}

/** Server-sent events with their type as name: Anthropic's Messages API and OpenAI's Responses API. */
export const NAMED_EVENTS: Framing = {
  frame: (event) => `event: ${String(event["type"])}\ndata: ${JSON.stringify(event)}\n\n`,
  garbled: "event: garbled\ndata: {broken\n\n",
  end: "",
};

/** Server-sent events without names and with an end marker: OpenAI's Chat Completions. */
export const DATA_EVENTS: Framing = {
  frame: (event) => `data: ${JSON.stringify(event)}\n\n`,
  garbled: "data: {broken\n\n",
  end: "data: [DONE]\n\n",
};

/** Google's server-sent events with CR LF; an error inside a stream is its bare JSON body. */
export const GOOGLE_EVENTS: Framing = {
  frame: (event) => ("error" in event ? JSON.stringify(event) : `data: ${JSON.stringify(event)}\r\n\r\n`),
  garbled: "data: {broken\r\n\r\n",
  end: "",
};
