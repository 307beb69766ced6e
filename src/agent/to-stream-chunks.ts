import type { RunEvent } from "../spec/events.ts";
import type { JsonValue } from "../spec/json.ts";

/** A call as a chunk carries it. */
export type ChunkCall = { readonly id: string; readonly name: string; readonly args: JsonValue };

type OfCall = {
  readonly toolName: string;
  readonly toolCallId: string;
  /** The complete arguments as JSON text. */
  readonly toolArgs: string;
};

/** A piece of a run for consumers of four kinds of chunks: text, a call, its start and its end. */
export type StreamChunk =
  | { readonly type: "content"; readonly content: string }
  | (OfCall & { readonly type: "tool_call"; readonly toolCall: ChunkCall })
  | (OfCall & { readonly type: "tool_call_start" })
  | (OfCall & { readonly type: "tool_call_end"; readonly toolResult: string; readonly toolDuration: number });

/**
 * The text and the tool calls of a run as chunks; all other events are left out. A call that waits for the caller has a `tool_call` and
 * no start. Text of sub-agents is left out. The duration is in milliseconds.
 */
export async function* toStreamChunks(events: AsyncIterable<RunEvent>): AsyncGenerator<StreamChunk> {
  const started = new Set<string>();
  for await (const event of events) {
    if (event.type === "text-delta" && event.parentToolId === undefined) yield { type: "content", content: event.text };
    else if (event.type === "tool-start") started.add(event.id);
    else if (event.type === "tool-call") {
      const { id, name, input } = event;
      const about: OfCall = { toolName: name, toolCallId: id, toolArgs: JSON.stringify(input) };
      yield { type: "tool_call", toolCall: { id, name, args: input }, ...about };
      if (started.has(id)) yield { type: "tool_call_start", ...about };
    } else if (event.type === "tool-end") {
      const { id, name, input, output, durationMs } = event;
      const toolResult = typeof output === "string" ? output : JSON.stringify(output);
      const about: OfCall = { toolName: name, toolCallId: id, toolArgs: JSON.stringify(input) };
      yield { type: "tool_call_end", ...about, toolResult, toolDuration: durationMs };
    }
  }
}
