import type { AIMessage, BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { JsonObject } from "../../spec/json.ts";
import type { Image, Message } from "../../spec/message.ts";
import { encodeTextThread } from "../../tools/thread-text.ts";
import { encodeXmlThread, issueThread } from "../../tools/thread-xml.ts";
import { refuse } from "./langchain-error.ts";

/** How content that is not a string is converted: block by block, or as JSON. */
type ContentReading = "blocks" | "json";

/** Converts LangChain messages to a conversation; with `json`, list content is kept as JSON. */
export function toMessages(messages: readonly BaseMessage[], reading: ContentReading): readonly Message[] {
  return messages.map((message) => toMessage(message, reading));
}

/** The messages as an XML thread; content cannot imitate an event. A thread made here is kept, byte for byte if it is alone. */
export function messagesToXml(messages: readonly BaseMessage[]): string {
  return issueThread(encodeXmlThread(toMessages(messages, "json")));
}

/** The messages as labelled blocks; content cannot imitate a label. */
export function messagesToPrompt(messages: readonly BaseMessage[]): string {
  return encodeTextThread(toMessages(messages, "json"));
}

function toMessage(message: BaseMessage, reading: ContentReading): Message {
  const { text, images } = reading === "blocks" ? readBlocks(message.content) : { text: toJsonText(message.content), images: [] };
  switch (message.type) {
    case "system":
    case "developer" as string:
      return { role: "system", text };
    case "human":
      return { role: "user", text, ...(images.length > 0 && { images }) };
    case "ai":
      return { role: "assistant", text, ...callsOf(message as AIMessage) };
    case "tool":
      return toToolMessage(message as ToolMessage, text);
    default:
      return { role: "other", label: labelOf(message), text };
  }
}

type CallBlock = {
  readonly type: string;
  readonly id?: string;
  readonly name: string;
  readonly input?: unknown;
  readonly args?: unknown;
};

/** Calls are in `tool_calls`, in the content, or in both. */
function callsOf({ tool_calls: calls = [], content }: AIMessage): Pick<Extract<Message, { role: "assistant" }>, "toolCalls"> {
  const blocks: readonly (string | { readonly type: string })[] = Array.isArray(content) ? content : [];
  const inContent = blocks
    .filter((block): block is CallBlock => typeof block !== "string" && (block.type === "tool_use" || block.type === "tool_call"))
    .filter(({ id }) => !calls.some((call) => call.id === id))
    .map(({ id = "", name, input, args }) => ({ id, name, args: (input ?? args ?? {}) as JsonObject }));
  const toolCalls = [...calls.map(({ id = "", name, args }) => ({ id, name, args: (args ?? {}) as JsonObject })), ...inContent];
  return toolCalls.length === 0 ? {} : { toolCalls };
}

function toToolMessage({ tool_call_id: callId = "", status, name }: ToolMessage, text: string): Message {
  return { role: "tool", callId, text, ...(name !== undefined && { name }), ...(status === "error" && { isError: true }) };
}

/** A generic message is labelled by its role, any other by its type. */
function labelOf(message: BaseMessage): string {
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

function readBlocks(content: BaseMessage["content"]): { readonly text: string; readonly images: readonly Image[] } {
  if (typeof content === "string") return { text: content, images: [] };
  const texts: string[] = [];
  const images: Image[] = [];
  for (const block of content as readonly (string | Block)[]) {
    const image = typeof block === "string" ? undefined : toImage(block);
    if (image === undefined) texts.push(toText(block));
    else images.push(image);
  }
  return { text: texts.filter((text) => text !== "").join("\n"), images };
}

function toText(block: string | Block): string {
  if (typeof block === "string") return block;
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
  if (block.type === "image_url") {
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
  const [, mediaType, data] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? [];
  if (mediaType !== undefined && data !== undefined) return { mediaType, data };
  throw refuse(
    "Image URLs are not supported; Coxswain does not download images.",
    "Give the image as base64 data or a data URL.",
  );
}
