import type { RunResult } from "../spec/result.ts";

/** The result of an answer that ended at a stop sequence; what the model wrote behind it, calls included, is not part of it. */
export function stoppedResult({ failure: _, hostCalls: __, invalidCalls: ___, ...result }: RunResult): RunResult {
  return { ...result, finish: "stop" };
}

/** The result of a run that failed, but whose failure is an answer in the APIs of vendors: a refusal, and a text that was cut at its limit. */
export function answeredResult(result: RunResult): RunResult {
  const { failure, ...answer } = result;
  const text = failure?.partialText ?? "";
  if (failure?.code === "refused") return { ...answer, finish: "content-filter", text };
  const isCut = result.finish === "length" && failure?.code === "output-truncated" && failure.partialText !== undefined;
  return isCut ? { ...answer, text } : result;
}
