import { isJsonObject, parseJson } from "../../spec/json.ts";

/** A text, or blocks such as texts and images. */
export type MessageContent = string | { readonly type: string; readonly [field: string]: unknown }[];

export type MessageCall = {
  readonly name: string;
  readonly args: Record<string, unknown>;
  readonly id?: string;
  readonly type?: "tool_call";
};

export type InvalidMessageCall = {
  readonly name?: string;
  readonly args?: string;
  readonly id?: string;
  readonly error?: string;
  readonly type?: "invalid_tool_call";
};

/** The fields of a message by the names that LangChain gives them. Services add fields of their own. */
export type MessageFields = {
  readonly content: MessageContent;
  readonly id?: string;
  readonly name?: string;
  /** Of an answer. */
  readonly tool_calls?: MessageCall[];
  /** Of an answer: calls that cannot be read. */
  readonly invalid_tool_calls?: InvalidMessageCall[];
  /** Of a result. */
  readonly tool_call_id?: string;
  /** Of a result. */
  readonly status?: "success" | "error";
  readonly additional_kwargs?: Record<string, unknown>;
  readonly response_metadata?: Record<string, unknown>;
  readonly [field: string]: unknown;
};

/** A message as plain JSON, in LangChain's stored form; `type` is `human`, `ai`, `tool` or `system`. */
export type StoredMessage = { readonly type: string; readonly data: MessageFields };

/** A message as plain JSON that `askWithHistory` takes, and every model of LangChain. */
export type PlainMessage = MessageFields & { readonly type: "human" | "ai" | "tool" | "system" };

/** A message in one of LangChain's forms: its own classes, an object with `role` or `type`, a pair, or the text of a user. */
export type MessageLike =
  | string
  | readonly [type: string, content: MessageContent]
  | (MessageFields & { readonly role: string })
  | (MessageFields & { readonly type: string })
  | { toDict(): { readonly type: string; readonly data: object } };

export function toPlainMessage({ type, data }: StoredMessage): PlainMessage {
  return { ...data, type: type as PlainMessage["type"] };
}

/** A message of the given type with the fields that LangChain writes in every message. */
export function stored(type: PlainMessage["type"], data: MessageFields): StoredMessage {
  const { additional_kwargs = {}, response_metadata = {} } = data;
  return { type, data: { ...data, additional_kwargs, response_metadata } };
}

/** The text of a message: that of its blocks together. */
export function textOf({ data: { content } }: StoredMessage): string {
  if (typeof content === "string") return content;
  return content.map(({ type, text }) => (type === "text" && typeof text === "string" ? text : "")).join("");
}

/** Throws a TypeError for what is no message. */
export function toStored(message: MessageLike): StoredMessage {
  if (typeof message === "string") return stored("human", { content: message });
  if (Array.isArray(message)) return fromFields(message[0], { content: message[1] });
  if (typeof message !== "object" || message === null) throw noMessage(message);
  if (isLangChainMessage(message)) {
    const { type, data } = message.toDict();
    // The stored form of LangChain leaves out a content that was given as `contentBlocks`.
    return { type, data: { ...data, ...(!("content" in data) && { content: message.content ?? [] }) } as MessageFields };
  }
  // What JSON.stringify makes of a message of LangChain.
  if ("lc" in message && isJsonObject(message["kwargs"])) {
    const name = String([message["id"]].flat().at(-1)).replace(/Message(?:Chunk)?$/, "");
    return fromFields(name.toLowerCase(), message["kwargs"] as MessageFields);
  }
  const { role, type = role, ...fields } = message as MessageFields & { readonly role?: unknown; readonly type?: unknown };
  return fromFields(type, fields);
}

/** True for a message of LangChain's own classes. */
export function isLangChainMessage(
  value: object,
): value is { readonly content?: MessageContent; toDict(): { readonly type: string; readonly data: object } } {
  return "toDict" in value && typeof value.toDict === "function";
}

const TYPES: ReadonlyMap<string, PlainMessage["type"]> = new Map(
  Object.entries({
    ...({ human: "human", user: "human", ai: "ai", assistant: "ai", tool: "tool" } as const),
    ...({ system: "system", developer: "system" } as const),
  }),
);

function fromFields(given: unknown, fields: MessageFields): StoredMessage {
  const type = TYPES.get(String(given));
  const { content: told, tool_calls: calls, invalid_tool_calls = [], ...others } = fields;
  // An answer of OpenAI that is calls alone has no content, and one without calls may have null for them.
  const content = type === "ai" ? (told ?? []) : told;
  const isContent = typeof content === "string" || Array.isArray(content);
  if (type === undefined || !isContent || (type === "tool" && fields.tool_call_id === undefined))
    throw noMessage({ type: given, ...fields });
  if (type === "ai") return stored(type, { content, tool_calls: (calls ?? []).map(toCall), invalid_tool_calls, ...others });
  if (given !== "developer") return stored(type, { content, ...others });
  return stored(type, { content, ...others, additional_kwargs: { ...others.additional_kwargs, __openai_role__: "developer" } });
}

/** A call in LangChain's form, or in OpenAI's, whose arguments need not be JSON. */
function toCall(call: MessageCall & { readonly function?: { readonly name: string; readonly arguments: string } }): MessageCall {
  if (call.function === undefined) return call;
  const { name, arguments: text } = call.function;
  const read = parseJson(text);
  const args = isJsonObject(read) ? { ...read } : { invalid: text };
  return { ...(call.id !== undefined && { id: call.id }), name, args, type: "tool_call" };
}

function noMessage(given: unknown): TypeError {
  const shown = JSON.stringify(given)?.slice(0, 200);
  return new TypeError(
    `A message has a role (user, assistant, system, tool) and content, and a result its tool_call_id: ${shown}`,
  );
}
