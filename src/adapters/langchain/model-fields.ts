import type { BaseChatModelParams } from "@langchain/core/language_models/chat_models";
import type { Client } from "../../client.ts";
import { COMPATIBILITY_OPTIONS, type CompatibilityOptions } from "../../compatibility/check-compatibility.ts";
import { findSampling, isSampling } from "../../doors/vendor-settings.ts";
import type { RunError } from "../../spec/failure/run-error.ts";
import type { RunRequest, Targets } from "../../spec/request.ts";
import type { RunWarning } from "../../spec/result.ts";
import { refuse } from "./refusal.ts";

/** LangChain's fields without those of its retries and limits, which the client has, and the features. */
type GivenFields = Omit<BaseChatModelParams, "maxRetries" | "maxConcurrency" | "onFailedAttempt"> & CompatibilityOptions;

export type ChatCliFields = GivenFields & {
  /** Any name of the client, such as `claude`, `claude/opus` or the chain `claude,codex`; or targets as objects. */
  readonly provider: string | Targets;
  readonly model?: string | undefined;
  /** The client that runs the CLI; by default one client of this module, shared by all models. */
  readonly client?: Client;
  /** Settings for every call, such as `timeouts`, `effort`, `system` or `env`. */
  readonly request?: Partial<Omit<RunRequest, "prompt" | "messages" | "tools" | "toolChoice" | "invalidCalls">>;
  /** Sequences at which every answer ends, unless a call has its own. */
  readonly stop?: readonly string[];
  /** The same as `request.maxOutputTokens`. */
  readonly maxTokens?: number;
  /** The same as `request.timeouts.totalMs`. */
  readonly timeout?: number;
  /** True: `invoke` reports the pieces of its answer to callbacks. False: the same as `disableStreaming`. */
  readonly streaming?: boolean;
  /** True: `stream` gives the whole answer as one piece. */
  readonly disableStreaming?: boolean;
  /** A call of an unknown tool or with wrong arguments, after its correction: in `invalid_tool_calls` (default), or an error. */
  readonly invalidToolCalls?: "return" | "throw";
};

export type ModelSettings = {
  readonly request: Partial<RunRequest>;
  readonly stop: readonly string[];
  readonly invalidToolCalls: "return" | "throw";
  readonly warnings: readonly RunWarning[];
};

const OWN: readonly string[] = [
  ...["provider", "model", "client", "request", "stop", "stopSequences", "maxTokens", "timeout", "invalidToolCalls"],
  ...COMPATIBILITY_OPTIONS,
];
const LANGCHAIN = [
  ...["name", "verbose", "callbacks", "callbackManager", "tags", "metadata", "cache", "outputVersion"],
  ...["streaming", "disableStreaming"],
];

/** The advice for fields of other chat models that mean something else here. */
const ADVICE: Readonly<Record<string, string>> = {
  maxRetries: "The client retries: pass client: createClient({ policies: { retry: { retries: 2 } } }).",
  onFailedAttempt: "The client retries, by the rules of its policies.",
  maxConcurrency: "Pass maxConcurrency to batch, or limit the client: createClient({ policies: { limit: { perProvider: 4 } } }).",
  apiKey: "The CLI uses its own login; an API key belongs into request.env.",
};

/** LangChain's own fields; all others, which may hold secrets, stay out of what is traced and logged. */
export function toLangChainFields(fields: object): BaseChatModelParams {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => LANGCHAIN.includes(name)));
}

/** Throws a TypeError if a field has a wrong type. */
export function readModelSettings(
  fields: Partial<ChatCliFields> & { readonly stopSequences?: readonly string[] },
): ModelSettings {
  const { request = {}, stop = fields.stopSequences ?? [], maxTokens, timeout, invalidToolCalls = "return" } = fields;
  const stops = [stop].flat();
  if (stops.some((text) => typeof text !== "string")) throw new TypeError("stop must be an array of strings.");
  if (!["return", "throw"].includes(invalidToolCalls)) throw new TypeError('invalidToolCalls must be "return" or "throw".');
  return {
    request: {
      ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
      ...request,
      ...(timeout !== undefined && { timeouts: { totalMs: timeout, ...request.timeouts } }),
    },
    stop: stops,
    invalidToolCalls,
    warnings: samplingWarnings(fields),
  };
}

/** The refusal of the first field that the model does not have; leaving it out would change what a call means. */
export function refuseUnknownField(fields: object): RunError | undefined {
  const isKnown = (name: string): boolean => OWN.includes(name) || LANGCHAIN.includes(name) || isSampling(name);
  const unknown = Object.entries(fields).find(([name, value]) => value !== undefined && !isKnown(name))?.[0];
  return unknown === undefined ? undefined : refuse(`ChatCli has no option ${unknown}.`, ADVICE[unknown]);
}

export function samplingWarnings(options: object): readonly RunWarning[] {
  return findSampling(options).map((name) => ({
    code: "setting-ignored",
    message: `There is no setting ${name}; it was left out.`,
  }));
}
