import { untilAborted } from "../adapters/langchain/refusal.ts";
import { thrownMessage, toSeconds } from "../spec/failure/failure.ts";
import type { JsonObject } from "../spec/json.ts";
import type { BoundTool } from "./agent-tool.ts";
import type { AgentTrace } from "./model/agent-model.ts";
import { isLangChainMessage, type MessageContent, type StoredMessage, stored, toStored } from "./model/message.ts";
import type { AgentCall } from "./thread.ts";

export type CallContext = {
  readonly signal: AbortSignal;
  readonly trace: AgentTrace | undefined;
  readonly timeoutMs: number;
};

/**
 * Runs one call. Wrong arguments, an error of the function and a call that takes too long are results with the status `error`, which the
 * model reads. Never rejects.
 */
export async function callTool(tool: BoundTool, call: AgentCall, context: CallContext): Promise<StoredMessage> {
  const { timeoutMs = context.timeoutMs } = tool;
  const limit = limitTime(context.signal, timeoutMs);
  try {
    const prepared = await tool.prepare(call.args as JsonObject);
    if ("problems" in prepared) return toErrorResult(call, `The arguments are wrong: ${prepared.problems.join("; ")}`);
    const { trace } = context;
    const output = tool.invoke?.(call, prepared.value, { signal: limit.signal, trace }) ?? Promise.resolve("");
    return toResult(call, await untilAborted(output, limit.signal));
  } catch (error) {
    if (context.signal.aborted) return toErrorResult(call, "The call was cancelled.");
    return toErrorResult(
      call,
      limit.signal.aborted ? `The call took longer than ${toSeconds(timeoutMs)}.` : thrownMessage(error),
    );
  } finally {
    limit.end();
  }
}

/** A signal that aborts with the outer one or when the time is over. */
function limitTime(outer: AbortSignal, timeoutMs: number): { readonly signal: AbortSignal; end(): void } {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort(outer.reason);
  if (outer.aborted) stop();
  outer.addEventListener("abort", stop);
  const timer = setTimeout(() => stopping.abort(), timeoutMs);
  return {
    signal: stopping.signal,
    end: () => {
      clearTimeout(timer);
      outer.removeEventListener("abort", stop);
    },
  };
}

/** A result that the model reads as an error. */
export function toErrorResult({ id, name }: AgentCall, content: string): StoredMessage {
  return stored("tool", { status: "error", content: `Error: ${content}`, tool_call_id: id, name });
}

/** The result with this output; a tool of LangChain makes the message itself. */
export function toResult({ id, name }: AgentCall, output: unknown): StoredMessage {
  const isMessage = typeof output === "object" && output !== null && "tool_call_id" in output;
  if (isMessage && isLangChainMessage(output)) return toStored(output);
  return stored("tool", { status: "success", content: toContent(output), tool_call_id: id, name });
}

/** A text and blocks of content stay as they are; the model reads any other value as JSON. */
function toContent(output: unknown): MessageContent {
  if (typeof output === "string") return output;
  const isBlock = (item: unknown): boolean => typeof item === "object" && item !== null && "type" in item;
  if (Array.isArray(output) && output.every(isBlock)) return output;
  return JSON.stringify(output) ?? "";
}
