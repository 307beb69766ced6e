import type { JsonObject } from "../spec/json.ts";
import type { Finish } from "../spec/wire/events.ts";
import type { Usage } from "../spec/wire/usage.ts";

export type ResponseEvent = JsonObject & { readonly type: string };

/** A call of a function with JSON as its input, or of a custom tool with free text. */
export type ResponseCall = {
  readonly id: string;
  readonly name: string;
  readonly namespace?: string | undefined;
  readonly isCustom: boolean;
};

type Kind = "text" | "reasoning";
type ItemStatus = "completed" | "incomplete";

/** An item that is written piece by piece. */
type OpenItem = { readonly kind: Kind; readonly id: string; readonly place: JsonObject; readonly pieces: string[] };

/** Writes one answer as the events of a response; the response itself grows with them. */
export class ResponseWriter {
  private readonly base: JsonObject;
  private readonly newId: (prefix: string, index: number) => string;
  private readonly reasoningFields: JsonObject;
  private readonly output: JsonObject[] = [];
  private open: OpenItem | undefined;
  private sequence = 0;
  private ending: JsonObject = { status: "in_progress", incomplete_details: null, error: null };

  /** `base` are the fields of the response that do not change, `reasoningFields` those of reasoning besides its summary. */
  constructor(base: JsonObject, newId: (prefix: string, index: number) => string, reasoningFields: JsonObject = {}) {
    this.base = base;
    this.newId = newId;
    this.reasoningFields = reasoningFields;
  }

  begin(): readonly ResponseEvent[] {
    return ["response.created", "response.in_progress"].map((type) => this.number({ type, response: this.response() }));
  }

  /** The response as it is now: its complete items, and how it ended. */
  response(): JsonObject {
    return { ...this.base, output: [...this.output], ...this.ending };
  }

  /** Begins an item; the item before it ends. */
  beginItem(kind: Kind): readonly ResponseEvent[] {
    const closing = this.endItem();
    const { prefix, place, part, added, partEvent } = KINDS[kind];
    const id = this.itemId(prefix);
    this.open = { kind, id, place: { item_id: id, ...place }, pieces: [] };
    return [
      ...closing,
      this.placed({ type: "response.output_item.added", item: { id, ...added } }),
      this.placed({ type: `${partEvent}.added`, ...this.open.place, part: part("") }),
    ];
  }

  /** A piece of an item, which begins with it unless it is open. */
  text(kind: Kind, piece: string): readonly ResponseEvent[] {
    const opening = this.open?.kind === kind ? [] : this.beginItem(kind);
    const { textEvent, textFields } = KINDS[kind];
    this.open?.pieces.push(piece);
    return [...opening, this.placed({ type: `${textEvent}.delta`, ...this.open?.place, delta: piece, ...textFields })];
  }

  /** Ends the item that is open, if there is one. */
  endItem(status: ItemStatus = "completed"): readonly ResponseEvent[] {
    if (this.open === undefined) return [];
    const { kind, id, place, pieces } = this.open;
    const { part, partEvent, textEvent, textFields, done } = KINDS[kind];
    this.open = undefined;
    const text = pieces.join("");
    const fields = kind === "reasoning" ? this.reasoningFields : {};
    return [
      this.placed({ type: `${textEvent}.done`, ...place, text, ...textFields }),
      this.placed({ type: `${partEvent}.done`, ...place, part: part(text) }),
      this.done({ id, ...done(part(text), status), ...fields }),
    ];
  }

  /** A call, with its input in pieces; one that `isOpen` is not complete. The item before it ends. */
  call({ id, name, namespace, isCustom }: ResponseCall, pieces: readonly string[], isOpen = false): readonly ResponseEvent[] {
    const closing = this.endItem();
    const [type, prefix, field, event] = isCustom
      ? ["custom_tool_call", "ctc_", "input", "response.custom_tool_call_input"]
      : ["function_call", "fc_", "arguments", "response.function_call_arguments"];
    const itemId = this.itemId(prefix);
    const item: JsonObject = { id: itemId, type, call_id: id, name, ...(namespace !== undefined && { namespace }) };
    const begun = [
      ...closing,
      this.placed({ type: "response.output_item.added", item: { ...item, status: "in_progress", [field]: "" } }),
      ...pieces.map((delta) => this.placed({ type: `${event}.delta`, item_id: itemId, delta })),
    ];
    if (isOpen) return begun;
    const input = pieces.join("");
    return [
      ...begun,
      this.placed({ type: `${event}.done`, item_id: itemId, ...(!isCustom && { name }), [field]: input }),
      this.done({ ...item, status: "completed", [field]: input }),
    ];
  }

  end(finish: Finish, fields: { readonly usage?: JsonObject }): readonly ResponseEvent[] {
    const reason = INCOMPLETE[finish];
    const status = reason === undefined ? "completed" : "incomplete";
    const closing = this.endItem(status);
    this.ending = { status, error: null, incomplete_details: reason === undefined ? null : { reason }, ...fields };
    return [...closing, this.number({ type: `response.${status}`, response: this.response() })];
  }

  /** Ends the response with an error; an item that is open stays out of it. */
  fail(error: { readonly code: string; readonly message: string }): ResponseEvent {
    this.ending = { status: "failed", incomplete_details: null, error };
    return this.number({ type: "response.failed", response: this.response() });
  }

  /** The event with its number in the stream. */
  number(event: ResponseEvent): ResponseEvent {
    return { ...event, sequence_number: this.sequence++ };
  }

  private placed(event: ResponseEvent): ResponseEvent {
    return { ...event, output_index: this.output.length, sequence_number: this.sequence++ };
  }

  private done(item: JsonObject): ResponseEvent {
    const event = this.placed({ type: "response.output_item.done", item });
    this.output.push(item);
    return event;
  }

  private itemId(prefix: string): string {
    return this.newId(prefix, this.output.length);
  }
}

type KindOfItem = {
  readonly prefix: string;
  readonly place: JsonObject;
  readonly partEvent: string;
  readonly textEvent: string;
  readonly textFields: JsonObject;
  readonly added: JsonObject;
  part(text: string): JsonObject;
  done(part: JsonObject, status: ItemStatus): JsonObject;
};

/** An answer is a message; the reasoning of the model is a summary. */
const KINDS: Readonly<Record<Kind, KindOfItem>> = {
  text: {
    prefix: "msg_",
    place: { content_index: 0 },
    partEvent: "response.content_part",
    textEvent: "response.output_text",
    textFields: { logprobs: [] },
    added: { type: "message", role: "assistant", status: "in_progress", content: [] },
    part: (text) => ({ type: "output_text", text, annotations: [], logprobs: [] }),
    done: (part, status) => ({ type: "message", role: "assistant", status, content: [part] }),
  },
  reasoning: {
    prefix: "rs_",
    place: { summary_index: 0 },
    partEvent: "response.reasoning_summary_part",
    textEvent: "response.reasoning_summary_text",
    textFields: {},
    added: { type: "reasoning", summary: [] },
    part: (text) => ({ type: "summary_text", text }),
    done: (part) => ({ type: "reasoning", summary: [part] }),
  },
};

const INCOMPLETE: Readonly<Partial<Record<Finish, string>>> = {
  length: "max_output_tokens",
  "content-filter": "content_filter",
};

/** The tokens of an answer; OpenAI has no word for an unknown count, so it is zero. */
export function toResponseUsage({ inputTokens = 0, outputTokens = 0, totalTokens, ...parts }: Partial<Usage>): JsonObject {
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: parts.cacheReadTokens ?? 0, cache_write_tokens: parts.cacheWriteTokens ?? 0 },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: parts.reasoningTokens ?? 0 },
    total_tokens: totalTokens ?? inputTokens + outputTokens,
  };
}
