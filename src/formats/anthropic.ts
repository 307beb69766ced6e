import { type JsonObject, type JsonValue, parseJson } from "../spec/json.ts";
import type { Finish } from "../spec/wire/events.ts";
import type { Usage } from "../spec/wire/usage.ts";

type Delta =
  | { readonly type: "text_delta"; readonly text: string }
  | { readonly type: "thinking_delta"; readonly thinking: string }
  | { readonly type: "signature_delta"; readonly signature: string }
  | { readonly type: "input_json_delta"; readonly partial_json: string };

/** A server-sent event of a streamed message. */
export type MessageEvent =
  | { readonly type: "message_start"; readonly message: JsonObject }
  | { readonly type: "content_block_start"; readonly index: number; readonly content_block: Block }
  | { readonly type: "content_block_delta"; readonly index: number; readonly delta: Delta }
  | { readonly type: "content_block_stop"; readonly index: number }
  | { readonly type: "message_delta"; readonly delta: JsonObject; readonly usage: JsonObject }
  | { readonly type: "message_stop" | "ping" };

type BlockType = "text" | "thinking" | "tool_use";

/** A content block; the first event of a block has it without its content. */
export type Block = JsonObject & { readonly type: BlockType };

/** A message of the Messages API before its content and its end. */
export function emptyMessage(id: string, model: string): JsonObject {
  return { id, type: "message", role: "assistant", model, content: [], stop_reason: null, stop_sequence: null };
}

export function textBlock(text = ""): Block {
  return { type: "text", text };
}

export function thinkingBlock(thinking = "", signature = ""): Block {
  return { type: "thinking", thinking, signature };
}

export function callBlock({ id, name }: { readonly id: string; readonly name: string }, input: JsonValue = {}): Block {
  return { type: "tool_use", id, name, input };
}

/** Writes the blocks of a message as events, one block after another. */
export class BlockWriter {
  private readonly signature: string;
  private index = 0;
  private open: BlockType | undefined;

  /** The signature ends each thought. */
  constructor(signature: string) {
    this.signature = signature;
  }

  isIn(type: BlockType): boolean {
    return this.open === type;
  }

  /** Begins a block; the block before it ends. */
  begin(block: Block): readonly MessageEvent[] {
    const ended = this.end();
    this.open = block.type;
    return [...ended, { type: "content_block_start", index: this.index, content_block: block }];
  }

  /** A piece of the open block: text, or a part of the JSON of a call. */
  piece(text: string): MessageEvent {
    if (this.open === "text") return this.delta({ type: "text_delta", text });
    if (this.open === "thinking") return this.delta({ type: "thinking_delta", thinking: text });
    return this.delta({ type: "input_json_delta", partial_json: text });
  }

  /** Ends the open block, if there is one. */
  end(): readonly MessageEvent[] {
    if (this.open === undefined) return [];
    const signed = this.open === "thinking" ? [this.delta({ type: "signature_delta", signature: this.signature })] : [];
    this.open = undefined;
    this.index += 1;
    return [...signed, { type: "content_block_stop", index: this.index - 1 }];
  }

  private delta(delta: Delta): MessageEvent {
    return { type: "content_block_delta", index: this.index, delta };
  }
}

export function endEvents(delta: JsonObject, usage: JsonObject): readonly MessageEvent[] {
  return [{ type: "message_delta", delta, usage }, { type: "message_stop" }];
}

/** The message that its events make together, as a response without a stream has it. */
export function foldMessage(events: Iterable<MessageEvent>): JsonObject {
  let message: JsonObject = {};
  const blocks: JsonObject[] = [];
  for (const event of events) {
    if (event.type === "message_start") message = event.message;
    else if (event.type === "content_block_start") blocks.push(event.content_block);
    else if (event.type === "content_block_delta") blocks.push(grown(blocks.pop() ?? {}, event.delta));
    else if (event.type === "message_delta") message = { ...message, ...event.delta, usage: event.usage };
  }
  const content = blocks.map(({ partial_json: json, ...block }) =>
    typeof json === "string" ? { ...block, input: parseJson(json) ?? json } : block,
  );
  return { ...message, content };
}

function grown(block: JsonObject, { type: _, ...pieces }: Delta): JsonObject {
  const fields = Object.entries(pieces).map(([name, piece]) => [name, `${block[name] ?? ""}${piece}`]);
  return { ...block, ...Object.fromEntries(fields) };
}

const STOP_REASONS: Readonly<Partial<Record<Finish, string>>> = {
  "tool-calls": "tool_use",
  length: "max_tokens",
  "content-filter": "refusal",
};

export function stopOf(finish: Finish): JsonObject {
  const stop = { stop_reason: STOP_REASONS[finish] ?? "end_turn", stop_sequence: null };
  return finish === "content-filter" ? { ...stop, stop_details: { type: "refusal", category: null, explanation: null } } : stop;
}

/** The tokens of a message; Anthropic does not count cached tokens as input. A count that is not known is zero, as the type demands. */
export function countsOf({
  inputTokens = 0,
  outputTokens = 0,
  cacheReadTokens = 0,
  cacheWriteTokens = 0,
}: Partial<Usage>): JsonObject {
  return {
    input_tokens: Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens),
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: cacheReadTokens,
    output_tokens: outputTokens,
  };
}

/** The HTTP status of each type of error. */
export const ERROR_STATUSES = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
} as const;

export function errorTypeOf(status: number): string {
  const known = Object.entries(ERROR_STATUSES).find(([, other]) => other === status)?.[0];
  return known ?? (status >= 400 && status < 499 ? "invalid_request_error" : "api_error");
}

type ErrorBody = { readonly type: "error"; readonly error: JsonObject };

/** The body of a response, or the data of an event, that reports an error. */
export function errorBody(type: string, message: string, further: JsonObject = {}): ErrorBody {
  return { type: "error", error: { type, message, ...further } };
}
