import type { AIMessage, BaseMessage, ToolMessage } from "@langchain/core/messages";
import { type Content, imageOfDataUrl, joinContent } from "../../doors/content.ts";
import { encodeTextThread, encodeXmlThread, issueThread } from "../../prompts/threads.ts";
import { isJsonObject, type JsonObject, parseJson } from "../../spec/json.ts";
import type { Image, Message } from "../../spec/message.ts";
import { refuse } from "./refusal.ts";

/** What a message of LangChain and its plain form have in common; other fields depend on the type. */
type AnyMessage = Pick<BaseMessage, "content" | "name"> & { readonly type: string };

/** How content that is not a string is converted: block by block, or as JSON. */
type ContentReading = "blocks" | "json";

/** Converts LangChain messages to a conversation; with `json`, list content is kept as JSON. */
export function toMessages(messages: readonly AnyMessage[], reading: ContentReading): readonly Message[] {
  return messages.map((message) => toMessage(message, reading));
}

/**
 * The messages as an XML thread; content cannot imitate an event. A thread made here is kept, byte for byte if it is alone, and with
 * `trustThread` so is any thread in the first message after the system messages.
 */
export function messagesToXml(messages: readonly AnyMessage[], options: { readonly trustThread?: boolean } = {}): string {
  const thread = encodeXmlThread(toMessages(messages, "json"), options);
  // What the caller trusts here is not trusted elsewhere.
  return options.trustThread === true ? thread : issueThread(thread);
}

/** The messages as labelled blocks; content cannot imitate a label. */
export function messagesToPrompt(messages: readonly AnyMessage[]): string {
  return encodeTextThread(toMessages(messages, "json"));
}

function toMessage(message: AnyMessage, reading: ContentReading): Message {
  const { content } = message;
  const { text, images }: Content = reading === "blocks" ? readBlocks(content) : { text: toJsonText(content) };
  const { name = "" } = message;
  const spoken = { text, ...(name !== "" && { name }), ...(images !== undefined && { images }) };
  switch (message.type) {
    case "system":
    case "developer" as string:
      return { role: "system", ...spoken };
    case "human":
      return { role: "user", ...spoken };
    case "ai":
      return { role: "assistant", ...spoken, ...callsOf(message as AIMessage) };
    case "tool": {
      const { tool_call_id: callId = "", status } = message as ToolMessage;
      return { role: "tool", callId, ...spoken, ...(status === "error" && { isError: true }) };
    }
    default:
      return { role: "other", label: labelOf(message), ...spoken };
  }
}

type CallBlock = {
  readonly type: string;
  readonly id?: string;
  readonly name: string;
  readonly input?: unknown;
  readonly args?: unknown;
};

/** Calls are in `tool_calls`, in the content, or in both; invalid ones are in the conversation too, because a result may answer them. */
function callsOf(message: AIMessage): Pick<Extract<Message, { role: "assistant" }>, "toolCalls"> {
  const { tool_calls: calls = [], invalid_tool_calls: invalid = [], content } = message;
  const blocks: readonly (string | { readonly type: string })[] = Array.isArray(content) ? content : [];
  const inContent = blocks
    .filter((block): block is CallBlock => typeof block !== "string" && (block.type === "tool_use" || block.type === "tool_call"))
    .filter(({ id }) => !calls.some((call) => call.id === id))
    .map(({ id = "", name, input, args }) => ({ id, name, args: (input ?? args ?? {}) as JsonObject }));
  const toolCalls = [
    ...calls.map(({ id = "", name, args }) => ({ id, name, args: (args ?? {}) as JsonObject })),
    ...inContent,
    ...invalid.map(({ id = "", name = "", args = "" }) => ({ id, name, args: toArguments(args) })),
  ];
  return toolCalls.length === 0 ? {} : { toolCalls };
}

/** The arguments of an invalid call, which need not be JSON. */
function toArguments(args: string): JsonObject {
  const value = parseJson(args);
  return isJsonObject(value) ? value : { invalid: args };
}

/** A generic message is labelled by its role, any other by its type. */
function labelOf(message: AnyMessage): string {
  return "role" in message && typeof message.role === "string" ? message.role : message.type;
}

function toJsonText(content: BaseMessage["content"]): string {
  if (typeof content === "string") return content;
  return Array.isArray(content) && content.length === 0 ? "" : JSON.stringify(content);
}

/** Skipped: calls are in `tool_calls` as well, and reasoning is not sent back. */
const SKIPPED: ReadonlySet<string> = new Set([
  ...["tool_use", "tool_call", "tool_call_chunk", "input_json_delta", "function_call"],
  ...["reasoning", "thinking", "redacted_thinking", "reasoning_content"],
]);

type Block = { readonly type?: string; readonly text?: unknown; readonly content?: unknown };

function readBlocks(content: BaseMessage["content"]): Content {
  return typeof content === "string" ? { text: content } : joinContent((content as readonly (string | Block)[]).map(readBlock));
}

function readBlock(block: string | Block): Content {
  if (typeof block === "string") return { text: block };
  const { type = "", content } = block;
  if (type === "tool_result" && Array.isArray(content)) return readBlocks(content);
  const image = toImage(block);
  return image === undefined ? { text: toText(block) } : { text: "", images: [image] };
}

function toText(block: Block): string {
  const { type = "", text, content } = block;
  if (SKIPPED.has(type)) return "";
  if (typeof text === "string") return text;
  if (type === "tool_result" && typeof content === "string") return content;
  if (type === "tool_result" || type === "json" || type === "non_standard") return JSON.stringify(content ?? block);
  throw refuse(`Content blocks of type ${JSON.stringify(type)} cannot be sent to a CLI.`);
}

type Source = { readonly type?: string; readonly media_type?: string; readonly data?: string; readonly url?: string };
type ImageBlock = {
  readonly type?: string;
  readonly image_url?: string | { readonly url?: string };
  readonly source?: Source;
  readonly data?: unknown;
  readonly url?: unknown;
  readonly mime_type?: string;
  readonly mimeType?: string;
};

/** The image of a content block in any of LangChain's forms, if it has one; throws if it would have to be downloaded. */
function toImage(block: ImageBlock): Image | undefined {
  if (block.type === "image_url" || block.type === "input_image") {
    const url = typeof block.image_url === "string" ? block.image_url : block.image_url?.url;
    return fromDataUrl(url ?? "");
  }
  if (block.type !== "image") return undefined;
  const { source, data, url } = block;
  const mediaType = source?.media_type ?? block.mimeType ?? block.mime_type ?? "image/png";
  if (typeof source?.data === "string") return { mediaType, data: source.data };
  if (typeof data === "string") return data.startsWith("data:") ? fromDataUrl(data) : { mediaType, data };
  if (data instanceof Uint8Array) return { mediaType, data: Buffer.from(data).toString("base64") };
  return fromDataUrl(source?.url ?? String(url ?? ""));
}

function fromDataUrl(url: string): Image {
  const image = imageOfDataUrl(url);
  if (image !== undefined) return image;
  throw refuse(
    "Image URLs are not supported; Coxswain does not download images.",
    "Give the image as base64 data or a data URL.",
  );
}
