import type { AIMessage, BaseMessage, ContentBlock } from "@langchain/core/messages";
import { JsonOutputParser } from "@langchain/core/output_parsers";
import { ChatGenerationChunk } from "@langchain/core/outputs";
import { defined, type JsonValue } from "../../spec/json.ts";
import { CliMessageChunk } from "./cli-message.ts";

export function toChunk(message: AIMessage): ChatGenerationChunk {
  const { content, additional_kwargs, response_metadata, usage_metadata, invalid_tool_calls = [], tool_calls = [], id } = message;
  const first = message.contentBlocks.filter(({ type }) => type === "text" || type === "reasoning").length;
  const fields = {
    content,
    additional_kwargs,
    response_metadata,
    invalid_tool_calls,
    tool_call_chunks: tool_calls.map(({ id: callId, name, args }, index) => ({
      type: "tool_call_chunk" as const,
      index: first + index,
      name,
      args: JSON.stringify(args),
      ...(callId !== undefined && { id: callId }),
    })),
    ...defined({ usage_metadata, id }),
  };
  return new ChatGenerationChunk({ message: new CliMessageChunk(fields), text: message.text });
}

/** The chunks with their reasoning and text as numbered blocks of the content, in the order in which they begin. */
export async function* withReasoningBlocks(chunks: AsyncIterable<ChatGenerationChunk>): AsyncGenerator<ChatGenerationChunk> {
  const indexes = new Map<string, number>();
  for await (const chunk of chunks) {
    const blocks: ContentBlock[] = [];
    for (const [type, piece] of piecesOf(chunk)) {
      const index = indexes.get(type) ?? indexes.size;
      // The first block of an index begins it and is no delta, so it is empty.
      if (!indexes.has(type)) yield withContent([{ type, [type]: "", index }]);
      indexes.set(type, index);
      blocks.push({ type, [type]: piece, index });
    }
    yield withContent(blocks, chunk);
  }
}

function piecesOf({ message }: ChatGenerationChunk): readonly (readonly ["reasoning" | "text", string])[] {
  const reasoning = message.additional_kwargs["reasoning_content"];
  return [
    ...(typeof reasoning === "string" ? [["reasoning", reasoning] as const] : []),
    ...(message.text === "" ? [] : [["text", message.text] as const]),
  ];
}

function withContent(content: ContentBlock[], chunk?: ChatGenerationChunk): ChatGenerationChunk {
  const fields = { ...chunk?.message, content } as ConstructorParameters<typeof CliMessageChunk>[0];
  return new ChatGenerationChunk({ message: new CliMessageChunk(fields), text: chunk?.text ?? "" });
}

/** The structured answer so far of a chunk; LangChain would join it with that of the next one if it were a field. */
const partials = new WeakMap<object, JsonValue>();

/** A chunk without text that carries the structured answer so far. */
export function partialChunk(object: JsonValue): ChatGenerationChunk {
  const message = new CliMessageChunk({ content: "" });
  partials.set(message, object);
  return new ChatGenerationChunk({ message, text: "" });
}

/** Reads the JSON of an answer. A stream of it gives the answers so far, each in place of the one before it, and then the answer. */
export class PartialAnswerParser<Output extends Record<string, unknown>> extends JsonOutputParser<Output> {
  override async *_transform(chunks: AsyncGenerator<string | BaseMessage>): AsyncGenerator<Output> {
    const rest: (string | BaseMessage)[] = [];
    for await (const chunk of chunks) {
      const partial = typeof chunk === "string" ? undefined : partials.get(chunk);
      // The text of a structured answer comes in one piece at the end, so nothing waits here.
      if (partial === undefined) rest.push(chunk);
      else yield partial as Output;
    }
    yield* super._transform(each(rest));
  }
}

async function* each<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}
