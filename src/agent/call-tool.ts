import type { Callbacks } from "@langchain/core/callbacks/manager";
import { ToolMessage } from "@langchain/core/messages";
import { untilAborted } from "../adapters/langchain/refusal.ts";
import { thrownMessage, toSeconds } from "../spec/failure/failure.ts";
import type { JsonObject } from "../spec/json.ts";
import type { BoundTool } from "./agent-tool.ts";
import type { AgentCall } from "./thread.ts";

export type CallContext = {
  readonly signal: AbortSignal;
  readonly callbacks: Callbacks | undefined;
  readonly timeoutMs: number;
};

/**
 * Runs one call. Wrong arguments, an error of the function and a call that takes too long are results with the status `error`, which the
 * model reads. Never rejects.
 */
export async function callTool(tool: BoundTool, call: AgentCall, context: CallContext): Promise<ToolMessage> {
  const { timeoutMs = context.timeoutMs } = tool;
  const limit = limitTime(context.signal, timeoutMs);
  try {
    const prepared = await tool.prepare(call.args as JsonObject);
    if ("problems" in prepared) return toErrorResult(call, `The arguments are wrong: ${prepared.problems.join("; ")}`);
    const config = { signal: limit.signal, ...(context.callbacks !== undefined && { callbacks: context.callbacks }) };
    const output = tool.invoke?.(call, prepared.value, config) ?? Promise.resolve("");
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
export function toErrorResult({ id, name }: AgentCall, content: string): ToolMessage {
  return new ToolMessage({ tool_call_id: id, name, content: `Error: ${content}`, status: "error" });
}

/** The result with this output; a tool of LangChain may have made the message itself. */
export function toResult({ id, name }: AgentCall, output: unknown): ToolMessage {
  if (ToolMessage.isInstance(output)) return output;
  const content = typeof output === "string" ? output : (JSON.stringify(output) ?? "");
  return new ToolMessage({ tool_call_id: id, name, content, status: "success" });
}
