import { once } from "node:events";
import { type ServerResponse, STATUS_CODES } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { JsonValue } from "../../spec/json.ts";
import {
  type FakeAnswer,
  type FakeHttpError,
  type FakeToolCall,
  type Reply,
  toOpenReply,
  toReply,
  type WholeReply,
} from "./fake-answer.ts";
import type { FakeApiRequest } from "./fake-api-request.ts";
import type { FakeProtocol, ProtocolEvent, ProtocolResponse } from "./fake-protocol.ts";

/** One request and its response; the signal aborts when the connection is closed. */
export type Exchange = {
  readonly protocol: FakeProtocol;
  readonly request: FakeApiRequest;
  readonly made: ProtocolResponse;
  readonly response: ServerResponse;
  readonly signal: AbortSignal;
};

/** Sends the complete answer; rejects if the connection closes before its end. */
export async function sendAnswer(answer: FakeAnswer, exchange: Exchange): Promise<void> {
  const { protocol, response, signal } = exchange;
  switch (answer.kind) {
    case "http-error":
      return sendHttpError(answer, exchange);
    case "garbage":
      return sendBody(response, 200, answer.body, { "content-type": answer.contentType ?? "text/html; charset=utf-8" });
    case "garbled-stream":
      return sendGarbled(exchange);
    case "stream-error":
      if (!streams(exchange)) return sendHttpError(protocol.toHttpError(answer.error), exchange);
      await stream(toOpenReply(answer.afterText), exchange);
      await writeEvent(exchange.made.errorEvent(answer.error), exchange);
      response.end();
      return;
    case "stall":
      await sendBeginning(answer, exchange);
      return waitForEnd(signal);
    case "cut":
      await sendBeginning(answer, exchange);
      response.destroy();
      return;
    default:
      return sendReply(toReply(answer), exchange);
  }
}

export function sendJson(status: number, body: JsonValue, { response, made }: Pick<Exchange, "response" | "made">): void {
  sendBody(response, status, JSON.stringify(body), { "content-type": "application/json", ...made.headers });
}

async function sendReply(reply: WholeReply, exchange: Exchange): Promise<void> {
  if (!streams(exchange)) return sendJson(200, exchange.made.whole(reply), exchange);
  await stream(reply, exchange);
  exchange.response.end(exchange.protocol.framing.end);
}

function sendHttpError(answer: FakeHttpError, { protocol, made, response }: Exchange): void {
  const body = answer.body ?? protocol.toErrorBody(answer.status, STATUS_CODES[answer.status] ?? "Error");
  const [text, contentType] =
    typeof body === "string" ? [body, "text/plain; charset=utf-8"] : [JSON.stringify(body), "application/json"];
  sendBody(response, answer.status, text, { "content-type": contentType, ...made.headers, ...answer.headers });
}

async function sendGarbled(exchange: Exchange): Promise<void> {
  const { response } = exchange;
  if (!streams(exchange)) return sendBody(response, 200, '{"broken', { "content-type": "application/json" });
  await stream(toOpenReply(undefined), exchange);
  await write(exchange.protocol.framing.garbled, exchange);
  response.end();
}

type Beginning = { readonly afterText?: string; readonly afterCall?: FakeToolCall };

/** Sends the beginning of a response that will not be completed; sends nothing without text and call. */
async function sendBeginning({ afterText, afterCall }: Beginning, exchange: Exchange): Promise<void> {
  if (afterText === undefined && afterCall === undefined) return;
  const reply = toOpenReply(afterText, afterCall);
  if (streams(exchange)) return stream(reply, exchange);
  const { made, response } = exchange;
  response.writeHead(200, { "content-type": "application/json", ...made.headers });
  await write(JSON.stringify(made.whole({ ...reply, end: "stop" })).slice(0, -1), exchange);
}

async function stream(reply: Reply, exchange: Exchange): Promise<void> {
  const { made, protocol, response, signal } = exchange;
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache", ...made.headers });
  let deltas = 0;
  for (const event of made.events(reply)) {
    if (protocol.isDelta(event) && deltas++ > 0 && reply.delayMs > 0) await delay(reply.delayMs, undefined, { signal });
    await writeEvent(event, exchange);
  }
}

function writeEvent(event: ProtocolEvent, exchange: Exchange): Promise<void> {
  return write(exchange.protocol.framing.frame(event), exchange);
}

/** Resolves when the text is flushed, so that a slow reader slows the writer down. */
async function write(text: string, { response, signal }: Exchange): Promise<void> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const leave = (): void => reject(signal.reason);
  signal.addEventListener("abort", leave, { once: true });
  response.write(text, (error) => (error ? reject(error) : resolve()));
  await promise.finally(() => signal.removeEventListener("abort", leave));
}

async function waitForEnd(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, "abort");
}

function sendBody(response: ServerResponse, status: number, body: string, headers: Readonly<Record<string, string>>): void {
  response.writeHead(status, { ...headers, "content-length": String(Buffer.byteLength(body)) }).end(body);
}

function streams({ protocol, request }: Exchange): boolean {
  return protocol.streams(request);
}
