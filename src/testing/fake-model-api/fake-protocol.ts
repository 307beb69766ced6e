import { objectOf } from "../../dialects/json-access.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { FakeHttpError, FakeStreamError } from "./fake-answer.ts";
import type { FakeApiRequest } from "./fake-api-request.ts";
import type { Reply } from "./reply.ts";

/** One event of a stream. */
export type ProtocolEvent = JsonObject;

/** Makes identifiers that one server never gives twice. */
export type NextId = (prefix: string, length: number) => string;

/** One response of a vendor's API in the making. */
export type ProtocolResponse = {
  readonly headers: Readonly<Record<string, string>>;
  /** The events of a streamed reply, made as they are needed. */
  events(reply: Reply): Iterable<ProtocolEvent>;
  /** The event that tells of an error after some others. */
  errorEvent(error: FakeStreamError): ProtocolEvent;
  /** The body of a reply that is not streamed. */
  whole(reply: Reply): JsonObject;
};

/** How the events of a stream are written. */
export type Framing = {
  frame(event: ProtocolEvent): string;
  /** An event that cannot be parsed. */
  readonly garbled: string;
  /** What stands after the last event of a stream that ended well. */
  readonly end: string;
};

/** How a vendor's API speaks. */
export type FakeProtocol = {
  /** The paths on which the model is asked. */
  readonly modelPath: RegExp;
  readonly framing: Framing;
  /** Whether a request asks for a stream. */
  streams(request: FakeApiRequest): boolean;
  /** The body for a request that is none for the model and yet answered. */
  answerAside?(request: FakeApiRequest): JsonObject | undefined;
  respond(request: FakeApiRequest, nextId: NextId): ProtocolResponse;
  /** True for an event that carries a piece of the answer. */
  isDelta(event: ProtocolEvent): boolean;
  /** The vendor's HTTP response for an error code of its own. */
  toHttpError(error: FakeStreamError): FakeHttpError;
  /** The vendor's body for a status. */
  toErrorBody(status: number, message: string): JsonObject;
};

/** Most protocols say in the body whether they want a stream. */
export function streamsByBody(request: FakeApiRequest): boolean {
  return objectOf(request.body)?.["stream"] === true;
}

/** Server-sent events that are named by their type: Anthropic's Messages API and OpenAI's Responses API. */
export const NAMED_EVENTS: Framing = {
  frame: (event) => `event: ${String(event["type"])}\ndata: ${JSON.stringify(event)}\n\n`,
  garbled: "event: garbled\ndata: {broken\n\n",
  end: "",
};

/** Server-sent events without names and a sign at the end: OpenAI's Chat Completions. */
export const DATA_EVENTS: Framing = {
  frame: (event) => `data: ${JSON.stringify(event)}\n\n`,
  garbled: "data: {broken\n\n",
  end: "data: [DONE]\n\n",
};

/** Google's server-sent events, with its line ends; an error inside a stream comes bare, as its body. */
export const GOOGLE_EVENTS: Framing = {
  frame: (event) => ("error" in event ? JSON.stringify(event) : `data: ${JSON.stringify(event)}\r\n\r\n`),
  garbled: "data: {broken\r\n\r\n",
  end: "",
};
