import { randomUUID } from "node:crypto";
import type { Client } from "../client.ts";
import { AnswerReader } from "../doors/answer-reader.ts";
import { mayRepeat, retryAfterMs } from "../doors/retry-after.ts";
import { createFailure, type Failure } from "../spec/failure/failure.ts";
import type { JsonObject } from "../spec/json.ts";
import type { RunRequest, Targets } from "../spec/request.ts";
import type { RunResult } from "../spec/result.ts";
import type { RunStream } from "../spec/stream.ts";
import { toEventStream } from "./event-stream.ts";
import { type AnswerHead, type FrameWriter, type GatewayRequest, type Protocol, scopeHeaders } from "./protocol.ts";
import { gatewayClosing } from "./refusal.ts";
import type { RequestRecord } from "./request-record.ts";
import { RequestGate, type RestingTargets } from "./resting-targets.ts";

export type GatewayHost = { readonly client: Client };

/** One request: who answers it, and what besides its body decides about the answer. */
export type RequestContext = {
  readonly host: GatewayHost;
  readonly resting: RestingTargets;
  readonly record: RequestRecord;
  /** Aborts when the client leaves. */
  readonly leaving: AbortSignal;
  /** Aborts when the gateway cancels the answers in progress. */
  readonly closing?: AbortSignal;
  /** Aborts when the gateway takes no more requests. */
  readonly draining?: AbortSignal;
  readonly settings: Partial<RunRequest>;
  readonly silenceMs: number;
};

/** Each piece of an answer is compared with each stop sequence, so their number and length are bounded. */
const MOST_STOPS = 64;
const LONGEST_STOP = 1000;

/**
 * Answers a request of a client in its protocol. The status is that of the run: nothing is sent before the first piece of an answer, so a
 * run that fails before it has the status of its failure, in a stream too. A client that leaves cancels the run.
 */
export async function answerRequest(protocol: Protocol, body: JsonObject, context: RequestContext): Promise<Response> {
  const { host, record } = context;
  const asked = protocol.read(body);
  if ("category" in asked) return refuse(protocol, asked, record);
  record.asks(asked.model);
  if (asked.stop.length > MOST_STOPS || asked.stop.some(({ length }) => length > LONGEST_STOP)) {
    const message = `A request has at most ${MOST_STOPS} stop sequences of ${LONGEST_STOP} characters.`;
    return refuse(protocol, createFailure("bad-request", message), record);
  }
  const found = findModel(asked.model, host);
  const targets = "category" in found ? found : context.resting.withoutResting(found);
  if ("category" in targets) return refuse(protocol, targets, record);
  const request = { ...asked.request, ...context.settings };
  const gate = new RequestGate(context.resting, context.draining);
  const run = host.client.run(targets, request, { commit: asked.isStream ? "first-event" : "end", gate });
  const interrupt = (): void => run.interrupt();
  const turnAway = (): void => (gate.isTurnedAway ? run.interrupt() : undefined);
  listenDuring(run, [
    [context.leaving, interrupt],
    [context.closing, interrupt],
    [context.draining, turnAway],
  ]);
  try {
    return await answerRun(run, protocol, asked, { ...context, gate });
  } catch (error) {
    // No client waits for this run.
    run.interrupt();
    throw error;
  }
}

type GatedContext = RequestContext & { readonly gate: RequestGate };

async function answerRun(run: RunStream, protocol: Protocol, asked: GatewayRequest, context: GatedContext): Promise<Response> {
  const { record, silenceMs, gate } = context;
  const isObject = asked.request.outputSchema !== undefined;
  const reader = new AnswerReader(run, {
    stop: asked.stop,
    asked: asked.request,
    isObject,
    isWhole: !asked.isStream,
    acceptsCut: true,
  });
  const headOf = (): AnswerHead => {
    const { answering, ignored: leftOut } = reader;
    return { id: newId(), createdAt: seconds(), asked, answering, leftOut };
  };
  const told = (failure: Failure): Failure => {
    const isCancelled = failure.category === "cancelled" && context.closing?.aborted === true;
    return isCancelled && !gate.isTurnedAway ? gatewayClosing() : gate.told(failure);
  };
  const failed = (result: RunResult, failure: Failure): Response => {
    record.answered(reader.answering, result);
    return toErrorResponse(protocol, told(failure), headersOf(headOf()));
  };
  const early = await reader.begun();
  if (early?.failure !== undefined) return failed(early, early.failure);
  if (asked.isStream) {
    const head = headOf();
    const leave = (): void => run.interrupt();
    const frames = framesOf(reader, protocol.frames(head), record, told);
    const response = toEventStream(frames, { headers: headersOf(head, protocol), silenceMs, leave });
    record.isStream = true;
    return response;
  }
  const { parts, result } = await reader.all();
  if (result.failure !== undefined) return failed(result, result.failure);
  record.answered(reader.answering, result);
  const head = headOf();
  return Response.json(protocol.whole(head, parts), { headers: { ...headersOf(head, protocol), ...scopeHeaders(result) } });
}

export function countRequest(
  protocol: Protocol,
  body: JsonObject,
  { host, record }: Pick<RequestContext, "host" | "record">,
): Response {
  const counted = protocol.count?.(body) ?? createFailure("bad-request", "The protocol counts no tokens.");
  if ("category" in counted) return refuse(protocol, counted, record);
  record.asks(counted.model);
  const targets = findModel(counted.model, host);
  if ("category" in targets) return refuse(protocol, targets, record);
  return Response.json(counted.body, { headers: { "x-coxswain-estimated": "true" } });
}

/** The targets of a model. Clients of the gateway know models only, so an unknown name is an unknown model. */
export function findModel(model: string, { client }: GatewayHost): Targets | Failure {
  const found = client.resolve(model);
  if ("targets" in found) return found.targets;
  const { message, hint } = found.failure;
  return createFailure("model-unknown", message, { hint });
}

function listenDuring(run: RunStream, listeners: readonly (readonly [AbortSignal | undefined, () => void])[]): void {
  for (const [signal, listener] of listeners) {
    if (signal?.aborted === true) listener();
    signal?.addEventListener("abort", listener);
  }
  void run.outcome().then(() => {
    for (const [signal, listener] of listeners) signal?.removeEventListener("abort", listener);
  });
}

function refuse(protocol: Protocol, failure: Failure, record: RequestRecord): Response {
  record.failed(failure.code);
  return toErrorResponse(protocol, failure);
}

export function toErrorResponse(
  protocol: Pick<Protocol, "error">,
  failure: Failure,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const { status, body, headers: own } = protocol.error(failure, newId());
  const waitMs = retryAfterMs(failure, Date.now());
  return Response.json(body, {
    status,
    headers: {
      ...headers,
      ...own,
      // The official clients of OpenAI and Anthropic obey it.
      "x-should-retry": String(mayRepeat(failure)),
      "x-coxswain-failure": failure.code,
      ...(waitMs !== undefined && { "retry-after": String(Math.ceil(waitMs / 1000)) }),
    },
  });
}

type Frames = ReturnType<FrameWriter["write"]>;

async function* framesOf(
  reader: AnswerReader,
  writer: FrameWriter,
  record: RequestRecord,
  told: (failure: Failure) => Failure,
): AsyncGenerator<Frames> {
  try {
    let first: Frames = writer.begin();
    for await (const parts of reader) {
      const end = parts.at(-1);
      const result = end?.type === "end" ? end.result : undefined;
      if (result !== undefined) record.answered(reader.answering, result);
      const failure = result?.failure;
      const frames =
        failure === undefined ? writer.write(parts) : [...writer.write(parts.slice(0, -1)), ...writer.fail(told(failure))];
      yield [...first, ...frames];
      first = [];
    }
  } finally {
    record.end(200);
  }
}

function headersOf(head: AnswerHead, protocol?: Protocol): Readonly<Record<string, string>> {
  const { ignored: unknown, named = {} } = head.asked;
  const leftOut = head.leftOut.flatMap((field) => named[field as keyof RunRequest] ?? []);
  const ignored = new Set([...unknown, ...leftOut]);
  const { provider, model, attempt, isWarm } = head.answering;
  return {
    ...(provider !== undefined && { "x-coxswain-provider": provider }),
    ...(model !== undefined && { "x-coxswain-model": encodeURI(model.toWellFormed()) }),
    "x-coxswain-attempts": String(attempt),
    "x-coxswain-warm": String(isWarm),
    ...(ignored.size > 0 && { "x-coxswain-ignored": [...ignored].join(", ") }),
    ...protocol?.headers?.(head),
  };
}

function newId(): string {
  return randomUUID().replaceAll("-", "");
}

function seconds(): number {
  return Math.floor(Date.now() / 1000);
}
