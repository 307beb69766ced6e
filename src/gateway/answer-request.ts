import { randomUUID } from "node:crypto";
import type { Client } from "../client.ts";
import { findTargets, type ModelAliases } from "../doors/find-targets.ts";
import { type AnswerPart, AnswerReader } from "../doors/read-answer.ts";
import { retryAfterMs } from "../doors/retry-after.ts";
import { createFailure } from "../spec/create-failure.ts";
import type { Failure } from "../spec/failure.ts";
import type { JsonObject } from "../spec/json.ts";
import { toEventStream } from "./event-stream.ts";
import type { AnswerHead, FrameWriter, Protocol } from "./protocol.ts";

/** What answers requests: the client, and the user's own names of models. */
export type GatewayHost = { readonly client: Client; readonly aliases?: ModelAliases };

/**
 * Answers a request of a client in its protocol. The status is that of the run: nothing is sent before the first piece of an answer, so a
 * run that fails before it has the status of its failure, in a stream too. Aborting the signal cancels the run.
 */
export async function answerRequest(
  protocol: Protocol,
  body: JsonObject,
  host: GatewayHost,
  signal: AbortSignal,
): Promise<Response> {
  const asked = protocol.read(body);
  if ("category" in asked) return toErrorResponse(protocol, asked);
  const { client, aliases = {} } = host;
  const isInstalled = ({ id }: { readonly id: string }): boolean => client.locate(id) !== undefined;
  const targets = findTargets(asked.model, { providers: client.providers, aliases, isInstalled });
  if ("category" in targets) return toErrorResponse(protocol, targets);
  const run = client.run(targets, asked.request, { signal, ...(!asked.isStream && { commit: "end" }) });
  const reader = new AnswerReader(run, { stop: asked.stop, isObject: asked.request.outputSchema !== undefined });
  const failure = (await reader.begun())?.failure;
  const headOf = (): AnswerHead => ({ id: newId(), createdAt: seconds(), asked, answering: reader.answering });
  if (failure !== undefined) return toErrorResponse(protocol, failure, failedHeadersOf(headOf(), failure));
  if (asked.isStream) {
    const head = headOf();
    return toEventStream(framesOf(reader, protocol.frames(head)), { ...headersOf(head), ...protocol.headers?.(head) });
  }
  const parts = await readAll(reader);
  const end = parts.at(-1);
  const failed = end?.type === "end" ? end.result.failure : undefined;
  const head = headOf();
  if (failed !== undefined) return toErrorResponse(protocol, failed, failedHeadersOf(head, failed));
  return Response.json(protocol.whole(head, parts), { headers: { ...headersOf(head), ...protocol.headers?.(head) } });
}

/** Answers a request for the number of tokens of a message. */
export function countRequest(protocol: Protocol, body: JsonObject): Response {
  const counted = protocol.count?.(body) ?? createFailure("bad-request", "The protocol counts no tokens.");
  if ("category" in counted) return toErrorResponse(protocol, counted as Failure);
  return Response.json(counted, { headers: { "x-coxswain-estimated": "true" } });
}

/** The response to a request that failed before anything was sent. */
export function toErrorResponse(protocol: Protocol, failure: Failure, headers: Readonly<Record<string, string>> = {}): Response {
  const { status, body, headers: own } = protocol.error(failure, newId());
  const waitMs = retryAfterMs(failure, Date.now());
  return Response.json(body, {
    status,
    headers: { ...headers, ...own, ...(waitMs !== undefined && { "retry-after": String(Math.ceil(waitMs / 1000)) }) },
  });
}

async function* framesOf(reader: AnswerReader, writer: FrameWriter): AsyncGenerator<ReturnType<FrameWriter["write"]>> {
  yield writer.begin();
  for await (const parts of reader) {
    const end = parts.at(-1);
    const failure = end?.type === "end" ? end.result.failure : undefined;
    yield failure === undefined ? writer.write(parts) : [...writer.write(parts.slice(0, -1)), ...writer.fail(failure)];
  }
}

async function readAll(reader: AnswerReader): Promise<readonly AnswerPart[]> {
  const all: AnswerPart[] = [];
  for await (const parts of reader) all.push(...parts);
  return all;
}

/** Which CLI answered, and what was left out of the request. */
function headersOf({ asked: { ignored }, answering }: AnswerHead): Readonly<Record<string, string>> {
  const { provider, model, attempt, isWarm } = answering;
  return {
    ...(provider !== undefined && { "x-coxswain-provider": provider }),
    ...(model !== undefined && { "x-coxswain-model": encodeURI(model) }),
    "x-coxswain-attempts": String(attempt),
    "x-coxswain-warm": String(isWarm),
    ...(ignored.length > 0 && { "x-coxswain-ignored": ignored.join(", ") }),
  };
}

/** The official clients obey `x-should-retry`. After several attempts of ours another of theirs does not help. */
function failedHeadersOf(head: AnswerHead, { shouldRetry }: Failure): Readonly<Record<string, string>> {
  return { ...headersOf(head), "x-should-retry": String(shouldRetry && head.answering.attempt <= 1) };
}

function newId(): string {
  return randomUUID().replaceAll("-", "");
}

function seconds(): number {
  return Math.floor(Date.now() / 1000);
}
