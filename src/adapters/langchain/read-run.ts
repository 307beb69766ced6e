import type { AIMessage } from "@langchain/core/messages";
import { ChatGenerationChunk } from "@langchain/core/outputs";
import { ShownText, WholeText } from "../../doors/shown-text.ts";
import type { RunEvent } from "../../spec/events.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { RunResult } from "../../spec/result.ts";
import type { RunStream } from "../../spec/stream.ts";
import type { CallSettings } from "./call-settings.ts";
import { CliMessageChunk, reasoningFields } from "./cli-message.ts";
import { partialChunk } from "./partial-answers.ts";
import { isOfTool, type ToolReports } from "./report-tools.ts";
import { type About, toAIMessage, toInvalidToolCall, toResponseMetadata, withUsage } from "./to-ai-message.ts";
import { untilStop } from "./until-stop.ts";

/** How a run is read: up to which text, and whether its answer is a structured value. */
type Reading = Pick<CallSettings, "stop" | "outputSchema"> & { readonly reports: ToolReports };

/** The answer of a run as one message, with the same text as its chunks together. */
export async function readMessage(run: RunStream, about: About, { stop, outputSchema, reports }: Reading): Promise<AIMessage> {
  const text = new WholeText();
  const reasoning: string[] = [];
  for await (const event of run) {
    if (isOfTool(event)) await reports.see(event);
    if (event.parentToolId !== undefined) continue;
    if (event.type === "text-delta") text.push(event.messageId, event.text);
    else if (event.type === "text-reset") text.reset(event.messageId);
    else if (event.type === "reasoning-delta") reasoning.push(event.text);
    // The reasoning of an attempt that failed is void with the attempt.
    else if (event.type === "retry" || event.type === "fallback") reasoning.length = 0;
  }
  const result = await run.result();
  const said = { text: outputSchema === undefined ? text.text() : jsonOf(result), reasoning: reasoning.join("") };
  return untilStop(toAIMessage(result, about, said), stop);
}

/**
 * The chunks of one run: text and reasoning as they arrive, then a chunk for each call, then one with usage and metadata. A structured
 * value is valid only as a whole, so its text is one chunk; chunks before it carry the value so far.
 */
export async function* toChunks(run: RunStream, about: About, reading: Reading): AsyncGenerator<ChatGenerationChunk> {
  const text = new ShownText(reading.stop);
  let calls: readonly HostEvent[] = [];
  let hasReasoning = false;
  for await (const event of run) {
    if (isOfTool(event)) await reading.reports.see(event);
    if (event.parentToolId !== undefined) continue;
    if (event.type === "text-delta" && reading.outputSchema === undefined)
      yield* textChunk(text.push(event.messageId, event.text));
    else if (event.type === "text-reset") text.reset(event.messageId);
    else if (event.type === "reasoning-delta") {
      hasReasoning = true;
      yield chunk({ content: "", ...reasoningFields(event.text) });
    } else if (event.type === "object-delta" && event.isPartial === true) yield partialChunk(event.object);
    else calls = readCall(calls, event);
    if (text.isStopped) break;
  }
  const result = await resultOf(run, text.isStopped);
  if (reading.outputSchema !== undefined) yield* textChunk(text.push("object", jsonOf(result)));
  yield* textChunk(text.end());
  // LangChain numbers the blocks of a message: reasoning and text come before the calls.
  const first = (text.isEmpty ? 0 : 1) + (hasReasoning ? 1 : 0);
  if (!text.isStopped) for (const [index, call] of calls.entries()) yield callChunk(call, first + index);
  yield chunk(withUsage({ content: "", response_metadata: toResponseMetadata(result, about) }, result.usage));
}

type HostEvent = Extract<RunEvent, { type: "tool-call" | "tool-call-invalid" }>;

/** The calls for LangChain after an event: a call that has ended, or that was reset, is not left to LangChain. */
function readCall(calls: readonly HostEvent[], event: RunEvent): readonly HostEvent[] {
  if (event.type === "tool-end" || event.type === "tool-reset") return calls.filter(({ id }) => id !== event.id);
  const isCall = event.type === "tool-call-invalid" || (event.type === "tool-call" && event.executor === "host");
  return isCall ? [...calls, event] : calls;
}

function chunk(fields: ConstructorParameters<typeof CliMessageChunk>[0]): ChatGenerationChunk {
  const message = new CliMessageChunk(fields);
  return new ChatGenerationChunk({ message, text: typeof message.content === "string" ? message.content : "" });
}

function* textChunk(text: string): Generator<ChatGenerationChunk> {
  if (text !== "") yield chunk({ content: text });
}

function callChunk(event: HostEvent, index: number): ChatGenerationChunk {
  const { id, name, input } = event;
  if (event.type === "tool-call")
    return chunk({ content: "", tool_call_chunks: [{ type: "tool_call_chunk", index, id, name, args: JSON.stringify(input) }] });
  return chunk({
    content: "",
    invalid_tool_calls: [toInvalidToolCall({ id, name, args: input as JsonObject, problem: event.problem })],
  });
}

/** The structured value as JSON; without one, because the model called a tool, the text. */
function jsonOf({ object, text }: RunResult): string {
  return object === undefined ? text : JSON.stringify(object);
}

/** A run that was left at a stop sequence was cancelled by that, if it had not ended, and has stopped as it was asked to. */
async function resultOf(run: RunStream, isStopped: boolean): Promise<RunResult> {
  if (isStopped) return { ...(await run.outcome()), finish: "stop" };
  return await run.result();
}
