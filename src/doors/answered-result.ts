import type { RunRequest } from "../spec/request.ts";
import type { RunResult } from "../spec/result.ts";
import type { Usage } from "../spec/wire/usage.ts";
import { estimateTokens } from "./estimate-tokens.ts";

/**
 * The result of an answer that ended at a stop sequence; what the model wrote behind it, calls included, is not part of it. A CLI that was
 * stopped there has reported no usage, so it is estimated.
 */
export function stoppedResult(stopped: RunResult, asked?: RunRequest): RunResult {
  const { failure, hostCalls: _, invalidCalls: __, ...result } = stopped;
  return { ...result, finish: "stop", usage: result.usage ?? estimateUsage(failure?.partialText ?? result.text, asked) };
}

function estimateUsage(text: string, asked: RunRequest | undefined): Usage {
  const outputTokens = Math.ceil(text.length / 4);
  const known = { outputTokens, estimated: true, scope: "turn" } as const;
  if (asked === undefined) return known;
  const inputTokens = estimateTokens(asked);
  return { ...known, inputTokens, totalTokens: inputTokens + outputTokens };
}

/** The result of a run that failed, but whose failure is an answer in the APIs of vendors: a refusal, and a text that was cut at its limit. */
export function answeredResult(result: RunResult): RunResult {
  const { failure, ...answer } = result;
  const text = failure?.partialText ?? "";
  if (failure?.code === "refused") return { ...answer, finish: "content-filter", text };
  const isCut = result.finish === "length" && failure?.code === "output-truncated" && failure.partialText !== undefined;
  return isCut ? { ...answer, text } : result;
}
