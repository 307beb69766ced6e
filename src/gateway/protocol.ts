import type { Answering, AnswerPart } from "../doors/answer-part.ts";
import type { Failure } from "../spec/failure/failure.ts";
import type { JsonObject } from "../spec/json.ts";
import type { RunRequest } from "../spec/request.ts";
import type { RunResult } from "../spec/result.ts";
import type { Usage } from "../spec/wire/usage.ts";

export type GatewayRequest = {
  readonly model: string;
  readonly request: RunRequest;
  readonly stop: readonly string[];
  readonly isStream: boolean;
  /** The names of parameters that no CLI has; the client gets them in the header `x-coxswain-ignored`. */
  readonly ignored: readonly string[];
  /** The parameters that set fields of the run which some CLIs do not have; one that the answering CLI left out is named in that header too. */
  readonly named?: Readonly<Partial<Record<keyof RunRequest, string>>>;
  /** True if the protocol's stream reports the usage only on request, and the client asked for it. */
  readonly wantsUsage?: boolean;
  /** The parts of the body that the protocol needs for its answer. */
  readonly kept?: JsonObject;
  /** True if the client asked for the model's reasoning, where the protocol sends it only on request. */
  readonly wantsReasoning?: boolean;
};

export type AnswerHead = {
  /** Unique; the protocol adds its own prefix. */
  readonly id: string;
  readonly createdAt: number;
  readonly asked: GatewayRequest;
  readonly answering: Answering;
  /** The fields of the run that the answering CLI left out. */
  readonly leftOut: readonly string[];
};

/** A server-sent event: an object is written as JSON. */
export type Frame = { readonly event?: string; readonly data: JsonObject | string };

export type FrameWriter = {
  begin(): readonly Frame[];
  /** The frames of these parts; those of the part `end` finish a good answer. */
  write(parts: readonly AnswerPart[]): readonly Frame[];
  /** The frames that end an answer which failed after its beginning. */
  fail(failure: Failure): readonly Frame[];
};

export type ErrorAnswer = {
  readonly status: number;
  readonly body: JsonObject;
  readonly headers?: Readonly<Record<string, string>>;
};

/** The API of one vendor: the meaning of a request, and the form of answers, streams and errors. Pure. */
export type Protocol = {
  /** Reads the body of a request; a failure if it is not one. Parameters that change what an answer means are refused, others ignored. */
  read(body: JsonObject): GatewayRequest | Failure;
  whole(head: AnswerHead, parts: readonly AnswerPart[]): JsonObject;
  frames(head: AnswerHead): FrameWriter;
  /** The status and the body of a failure; `id` is unique. */
  error(failure: Failure, id: string): ErrorAnswer;
  headers?(head: AnswerHead): Readonly<Record<string, string>>;
  /** Answers a request to `…/count_tokens`, if the protocol has it: the model, and the body with an estimate. No CLI is asked. */
  count?(body: JsonObject): { readonly model: string; readonly body: JsonObject } | Failure;
};

/** The protocols by the path of their requests. */
export type Protocols = Readonly<Record<"/v1/chat/completions" | "/v1/responses" | "/v1/messages", Protocol>>;

/** True for a request of an Anthropic client: by its path, or by the header that all of them send. */
export function isAnthropic({ headers }: Request, path: string): boolean {
  return path.startsWith("/v1/messages") || (path.startsWith("/v1/models") && headers.has("anthropic-version"));
}

/** The protocol whose errors the client of a request understands. */
export function shapeOf(request: Request, path: string, protocols: Protocols): Pick<Protocol, "error"> {
  return protocols[isAnthropic(request, path) ? "/v1/messages" : "/v1/chat/completions"];
}

type Scoped = Pick<RunResult, "usage" | "costScope">;

/** The headers of a whole answer whose tokens or cost are those of a whole session. */
export function scopeHeaders(result: Scoped): Readonly<Record<string, string>> {
  return named(result, ["x-coxswain-usage-scope", "x-coxswain-cost-scope"]);
}

/** Says the same as `scopeHeaders` in the usage of a body: the headers of a stream are sent before the scope is known, and its usage comes last. */
export function scopeFields(result: Scoped): Readonly<Record<string, string>> {
  return named(result, ["x_coxswain_usage_scope", "x_coxswain_cost_scope"]);
}

function named({ usage, costScope }: Scoped, [ofUsage, ofCost]: readonly [string, string]): Readonly<Record<string, string>> {
  return {
    ...(usage?.scope === "thread" && { [ofUsage]: usage.scope }),
    ...(costScope !== undefined && { [ofCost]: costScope }),
  };
}

export function usageField(result: RunResult | undefined, write: (usage: Usage) => JsonObject): { readonly usage?: JsonObject } {
  if (result?.usage === undefined) return {};
  return { usage: { ...write(result.usage), ...scopeFields(result) } };
}
