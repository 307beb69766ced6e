import type { AIMessage } from "@langchain/core/messages";
import { ChatGenerationChunk } from "@langchain/core/outputs";
import type { AnswerPart } from "../../doors/answer-part.ts";
import { AnswerReader, type DoorReading } from "../../doors/answer-reader.ts";
import { RunError } from "../../spec/failure/run-error.ts";
import type { RunResult } from "../../spec/result.ts";
import type { RunStream } from "../../spec/stream.ts";
import { type About, reasoningFields, toInvalidToolCall, toResponseMetadata } from "./answer-fields.ts";
import type { CallSettings } from "./call-settings.ts";
import { CliMessageChunk, toAIMessage, withUsage } from "./cli-message.ts";
import { partialChunk } from "./message-chunks.ts";
import type { ToolReports } from "./report-tools.ts";

/** How a run is read: up to which text, and whether its answer is a structured value. */
type Reading = Pick<CallSettings, "stop" | "outputSchema"> &
  Required<Pick<DoorReading, "asked">> & { readonly reports: ToolReports };

/** The answer of a run as one message, with the same text as its chunks together. */
export async function readMessage(run: RunStream, about: About, reading: Reading): Promise<AIMessage> {
  const { parts, result } = await toReader(run, reading, { isWhole: true }).all();
  const said = { text: "", reasoning: "" };
  for (const part of parts) if (part.type === "text" || part.type === "reasoning") said[part.type] += part.text;
  return toAIMessage(soundResult(result), about, said);
}

/**
 * The chunks of one run: text and reasoning as they arrive, then a chunk for each call, then one with usage and metadata. A structured
 * value is valid only as a whole, so its text is one chunk; chunks before it carry the value so far.
 */
export async function* toChunks(run: RunStream, about: About, reading: Reading): AsyncGenerator<ChatGenerationChunk> {
  // LangChain numbers the blocks of a message: reasoning and text come before the calls.
  const blocks = new Set<"text" | "reasoning">();
  let calls = 0;
  for await (const parts of toReader(run, reading, { partialObjects: true })) {
    for (const part of parts) {
      if (part.type === "text" || part.type === "reasoning") {
        blocks.add(part.type);
        yield chunk(part.type === "text" ? { content: part.text } : { content: "", ...reasoningFields(part.text) });
      } else if (part.type === "partial-object") yield partialChunk(part.object);
      else if (part.type === "host-call" || part.type === "invalid-call") yield callChunk(part, blocks.size + calls++);
      else if (part.type === "end") {
        const result = soundResult(part.result);
        yield chunk(withUsage({ content: "", response_metadata: toResponseMetadata(result, about) }, result.usage));
      }
    }
  }
}

function toReader(run: RunStream, { stop, asked, outputSchema, reports }: Reading, how: DoorReading): AnswerReader {
  return new AnswerReader(run, {
    ...how,
    stop,
    asked,
    isObject: outputSchema !== undefined,
    onTool: (event) => reports.see(event),
  });
}

function soundResult(result: RunResult): RunResult {
  if (result.failure !== undefined) throw new RunError(result.failure, result);
  return result;
}

function chunk(fields: ConstructorParameters<typeof CliMessageChunk>[0]): ChatGenerationChunk {
  const message = new CliMessageChunk(fields);
  return new ChatGenerationChunk({ message, text: typeof message.content === "string" ? message.content : "" });
}

function callChunk(part: Extract<AnswerPart, { type: "host-call" | "invalid-call" }>, index: number): ChatGenerationChunk {
  if (part.type === "invalid-call") return chunk({ content: "", invalid_tool_calls: [toInvalidToolCall(part.call)] });
  const { id, name, args } = part.call;
  return chunk({ content: "", tool_call_chunks: [{ type: "tool_call_chunk", index, id, name, args: JSON.stringify(args) }] });
}
