import type { JsonValue } from "../spec/json.ts";
import type { RunEvent } from "../spec/wire/events.ts";

export type ChunkCall = { readonly id: string; readonly name: string; readonly args: JsonValue };

type OfCall = { readonly toolName: string; readonly toolCallId: string };

/** A piece of a run for consumers of four kinds of chunks: text, a call, its start and its end. */
export type StreamChunk =
  | { readonly type: "content"; readonly content: string }
  | (OfCall & { readonly type: "tool_call_start" })
  | (OfCall & {
      readonly type: "tool_call";
      readonly toolCall: ChunkCall;
      /** The complete arguments as JSON text. */
      readonly toolArgs: string;
    })
  | (OfCall & {
      readonly type: "tool_call_end";
      /** Absent if the call was cut before its arguments were complete. */
      readonly toolArgs?: string;
      /** Absent if no result was seen. */
      readonly toolResult?: string;
      /** Milliseconds since the start. */
      readonly toolDuration: number;
      /** True if the run, or the attempt, ended before a result was seen. */
      readonly synthetic?: true;
    });

/**
 * The text and the tool calls of a run as chunks; all other events are left out, and so is the text of sub-agents. Each start is followed
 * by one end, except that of a call for whose result the run has ended with `tool-calls`.
 */
export async function* toStreamChunks(events: AsyncIterable<RunEvent>): AsyncGenerator<StreamChunk> {
  const calls = new OpenCalls();
  for await (const event of events) {
    const chunk = event.type === "text-delta" ? toContent(event) : calls.read(event);
    if (chunk !== undefined) yield chunk;
  }
}

function toContent({ parentToolId, text }: Extract<RunEvent, { type: "text-delta" }>): StreamChunk | undefined {
  return parentToolId === undefined ? { type: "content", content: text } : undefined;
}

type OpenCall = { readonly name: string; readonly startedAtMs: number; input?: JsonValue };

type EndedCall = Pick<OpenCall, "name" | "input"> & { readonly id: string };

/** The calls that have begun; a `tool-reset` has neither their name nor their duration. */
class OpenCalls {
  private readonly open = new Map<string, OpenCall>();

  read(event: RunEvent): StreamChunk | undefined {
    switch (event.type) {
      case "tool-start":
        this.open.set(event.id, { name: event.name, startedAtMs: event.atMs });
        return { type: "tool_call_start", toolName: event.name, toolCallId: event.id };
      case "tool-call": {
        const { id, name, input } = event;
        const call = this.open.get(id);
        if (call !== undefined) call.input = input;
        const toolCall = { id, name, args: input };
        return { type: "tool_call", toolCall, toolName: name, toolCallId: id, toolArgs: JSON.stringify(input) };
      }
      case "tool-end":
        return this.end(event, event.durationMs, event.synthetic === true ? undefined : event.output);
      case "tool-reset": {
        const call = this.open.get(event.id);
        return call && this.end({ id: event.id, ...call }, event.atMs - call.startedAtMs);
      }
      default:
        return undefined;
    }
  }

  /** The end of a call; without an output it is marked. */
  private end({ id, name, input }: EndedCall, durationMs: number, output?: JsonValue): StreamChunk {
    const isComplete = this.open.get(id)?.input !== undefined;
    this.open.delete(id);
    return {
      type: "tool_call_end",
      toolName: name,
      toolCallId: id,
      ...(isComplete && { toolArgs: JSON.stringify(input) }),
      ...(output !== undefined && { toolResult: typeof output === "string" ? output : JSON.stringify(output) }),
      toolDuration: durationMs,
      ...(output === undefined && { synthetic: true }),
    };
  }
}
