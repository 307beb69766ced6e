import { AIMessage, AIMessageChunk, type ContentBlock, type ToolCall } from "@langchain/core/messages";
import type { HostCall } from "../../spec/message.ts";
import type { RunResult } from "../../spec/result.ts";
import type { Usage } from "../../spec/wire/usage.ts";
import { type About, reasoningFields, toInvalidToolCall, toResponseMetadata, toUsageMetadata } from "./answer-fields.ts";

type ChunkFields = ConstructorParameters<typeof AIMessageChunk>[0] & object;
type Blocks = ContentBlock.Standard[];

/** An answer whose content is plain text; its reasoning, if any, is the first of its content blocks. */
export class CliMessage extends AIMessage {
  /** LangChain stores messages under this id, and reads them again as its own class. */
  override get lc_id(): string[] {
    return [...this.lc_namespace, AIMessage.lc_name()];
  }

  override get contentBlocks(): Blocks {
    return withReasoning(super.contentBlocks, this);
  }
}

/**
 * A piece of such an answer. Joined pieces keep the invalid calls that they were given: LangChain's own class keeps only those whose
 * arguments are not JSON.
 */
export class CliMessageChunk extends AIMessageChunk {
  override get lc_id(): string[] {
    return [...this.lc_namespace, AIMessageChunk.lc_name()];
  }

  constructor(fields: ChunkFields) {
    super(fields);
    if ("invalid_tool_calls" in fields && fields.invalid_tool_calls !== undefined)
      this.invalid_tool_calls = fields.invalid_tool_calls;
  }

  /** With the output version v1 LangChain joins the blocks of pieces by their index. */
  override get contentBlocks(): Blocks {
    return withReasoning(super.contentBlocks, this).map((block) => {
      if (block.type === "reasoning") return { index: 0, ...block };
      return block.type === "text" ? { index: 1, ...block } : block;
    });
  }

  override concat(chunk: AIMessageChunk): this {
    const joined = super.concat(chunk);
    joined.invalid_tool_calls = [...(this.invalid_tool_calls ?? []), ...(chunk.invalid_tool_calls ?? [])];
    return joined as this;
  }
}

export function withText(message: AIMessage, text: string, metadata: Record<string, unknown> = {}): AIMessage {
  return withFields(message, { content: text, tool_calls: [], invalid_tool_calls: [] }, metadata);
}

type Changes = Partial<Pick<AIMessage, "content" | "tool_calls" | "invalid_tool_calls">>;

/** A copy of the message with other fields and further metadata; other calls replace the old ones everywhere in it. */
export function withFields(
  message: AIMessage | AIMessageChunk,
  changes: Changes,
  metadata: Record<string, unknown> = {},
): AIMessage {
  const { additional_kwargs, response_metadata, usage_metadata, id, name, tool_calls = [], invalid_tool_calls = [] } = message;
  const { tool_calls: _, ...further } = additional_kwargs;
  const { content = message.content } = changes;
  const fields = {
    ...{ tool_calls, invalid_tool_calls, ...changes },
    content: changes.tool_calls === undefined ? content : withoutCallBlocks(content),
    additional_kwargs: changes.tool_calls === undefined ? additional_kwargs : further,
    response_metadata: { ...response_metadata, ...metadata },
    ...(name !== undefined && { name }),
  };
  return new CliMessage(Object.assign(fields, usage_metadata !== undefined && { usage_metadata }, id !== undefined && { id }));
}

/** The blocks in which services repeat the calls of a message; LangChain reads calls from some of them. */
const CALL_BLOCKS: ReadonlySet<string> = new Set(["tool_call", "tool_use", "function_call", "functionCall"]);

function withoutCallBlocks(content: AIMessage["content"]): AIMessage["content"] {
  return typeof content === "string" ? content : content.filter(({ type }) => !CALL_BLOCKS.has(String(type)));
}

/** LangChain makes these blocks of the content alone, with a block of empty text for an empty content. */
function withReasoning(blocks: Blocks, message: AIMessage | AIMessageChunk): Blocks {
  const reasoning = message.additional_kwargs["reasoning_content"];
  if (typeof reasoning !== "string" || reasoning === "" || blocks.some(({ type }) => type === "reasoning")) return blocks;
  return [{ type: "reasoning", reasoning }, ...blocks.filter((block) => block.type !== "text" || block.text !== "")];
}

export type Said = { readonly text: string; readonly reasoning: string };

export function toAIMessage(result: RunResult, about: About, { text, reasoning }: Said): CliMessage {
  const { hostCalls = [], invalidCalls = [], usage } = result;
  const fields = {
    content: text,
    tool_calls: hostCalls.map(toMessageCall),
    invalid_tool_calls: invalidCalls.map(toInvalidToolCall),
    response_metadata: toResponseMetadata(result, about),
    ...reasoningFields(reasoning),
  };
  return new CliMessage(withUsage(fields, usage));
}

/** Adds token counts to the fields of a message; LangChain's types have no such field for plain messages. */
export function withUsage<Fields extends object>(fields: Fields, usage: Usage | undefined): Fields {
  return usage === undefined ? fields : Object.assign(fields, { usage_metadata: toUsageMetadata(usage) });
}

function toMessageCall({ id, name, args }: HostCall): ToolCall {
  return { id, name, args: { ...args }, type: "tool_call" };
}
