import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { InvalidToolCall, UsageMetadata } from "@langchain/core/messages";
import { defined } from "../../spec/json.ts";
import type { InvalidCall } from "../../spec/message.ts";
import type { Target } from "../../spec/request.ts";
import type { RunResult, RunWarning } from "../../spec/result.ts";
import type { Usage } from "../../spec/wire/usage.ts";

/** The provider and model of a call, and the warnings about its settings, for the metadata of its answer. */
export type About = Pick<Target, "provider" | "model"> & { readonly warnings?: readonly RunWarning[] };

export function reasoningFields(reasoning: string): { readonly additional_kwargs?: Record<string, unknown> } {
  return reasoning === "" ? {} : { additional_kwargs: { reasoning_content: reasoning } };
}

export function toInvalidToolCall({ id, name, args, problem }: InvalidCall): InvalidToolCall {
  return { id, name, args: JSON.stringify(args), error: problem, type: "invalid_tool_call" };
}

/** Token counts in LangChain's form; LangChain writes zero for a count that the CLI did not report. */
export function toUsageMetadata({ inputTokens = 0, outputTokens = 0, totalTokens, ...parts }: Usage): UsageMetadata {
  const { cacheReadTokens, cacheWriteTokens, reasoningTokens } = parts;
  const input = {
    ...defined({ cache_read: cacheReadTokens, cache_creation: cacheWriteTokens }),
  };
  return {
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    total_tokens: totalTokens ?? inputTokens + outputTokens,
    ...(Object.keys(input).length > 0 && { input_token_details: input }),
    ...(reasoningTokens !== undefined && { output_token_details: { reasoning: reasoningTokens } }),
  };
}

const FINISH_REASONS: Readonly<Record<RunResult["finish"], string>> = {
  stop: "stop",
  length: "length",
  "tool-calls": "tool_calls",
  "content-filter": "content_filter",
  cancelled: "cancelled",
  error: "error",
};

export function toResponseMetadata(
  { finish, provider, model, sessionId, costUsd, costScope, usage, warnings }: Omit<RunResult, "text">,
  about: About,
): Record<string, unknown> {
  const all = [...(about.warnings ?? []), ...warnings];
  const name = model ?? about.model ?? about.provider;
  return {
    model: name,
    model_name: name,
    model_provider: `coxswain-${provider ?? about.provider}`,
    finish_reason: FINISH_REASONS[finish],
    ...defined({ session_id: sessionId, cost_usd: costUsd, cost_scope: costScope }),
    ...(usage?.scope === "thread" && { usage_scope: usage.scope }),
    ...(usage?.estimated === true && { usage_estimated: true }),
    ...(all.length > 0 && { warnings: all }),
  };
}

/** The name of a chat model before it has answered. */
export function nameOf(model: Pick<BaseChatModel, "getLsParams" | "getName">): string {
  const { ls_model_name: name } = model.getLsParams({} as never);
  return name ?? model.getName();
}
