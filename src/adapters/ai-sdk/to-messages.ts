import {
  type LanguageModelV4FilePart,
  type LanguageModelV4Message,
  type LanguageModelV4Prompt,
  type LanguageModelV4ToolResultOutput,
  type LanguageModelV4ToolResultPart,
  UnsupportedFunctionalityError,
} from "@ai-sdk/provider";
import { type Content, imageOfDataUrl, joinContent } from "../../doors/content.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../spec/json.ts";
import type { HostCall, Image, Message } from "../../spec/message.ts";

/** Converts a prompt of the AI SDK to a conversation. Reasoning, and tools that the CLI ran itself, are not sent back to it. */
export function toMessages(prompt: LanguageModelV4Prompt): readonly Message[] {
  return prompt.flatMap(toMessage);
}

function toMessage(message: LanguageModelV4Message): readonly Message[] {
  switch (message.role) {
    case "system":
      return [{ role: "system", text: message.content }];
    case "user":
      return [{ role: "user", ...contentOf(message.content, "\n") }];
    case "assistant":
      return [{ role: "assistant", ...contentOf(message.content, ""), ...callsOf(message.content) }];
    case "tool":
      return message.content.flatMap((part) => (part.type === "tool-result" ? [toResult(part)] : []));
  }
}

type ContentPart =
  | Exclude<Extract<LanguageModelV4Message, { role: "assistant" | "user" }>["content"][number], LanguageModelV4FilePart>
  | LanguageModelV4FilePart;

function contentOf(parts: readonly ContentPart[], separator: string): Content {
  const pieces = parts.flatMap((part): readonly Content[] => {
    if (part.type === "text") return [{ text: part.text }];
    return part.type === "file" ? [{ text: "", images: [toImage(part)] }] : [];
  });
  return joinContent(pieces, separator);
}

/** The calls that the caller made; the CLI has the others in its own memory, or they are over. */
function callsOf(parts: readonly ContentPart[]): { readonly toolCalls?: readonly HostCall[] } {
  const toolCalls = parts.flatMap((part) => {
    if (part.type !== "tool-call" || part.providerExecuted === true) return [];
    return [{ id: part.toolCallId, name: part.toolName, args: toArguments(part.input as JsonValue) }];
  });
  return toolCalls.length === 0 ? {} : { toolCalls };
}

/** The arguments of an invalid call need not be an object. */
function toArguments(input: JsonValue): JsonObject {
  return isJsonObject(input) ? input : { invalid: input ?? null };
}

function toResult({ toolCallId, toolName, output }: LanguageModelV4ToolResultPart): Message {
  const isError = output.type === "error-text" || output.type === "error-json" || output.type === "execution-denied";
  return { role: "tool", callId: toolCallId, name: toolName, ...outputOf(output), ...(isError && { isError }) };
}

function outputOf(output: LanguageModelV4ToolResultOutput): Content {
  switch (output.type) {
    case "text":
    case "error-text":
      return { text: output.value };
    case "json":
    case "error-json":
      return { text: JSON.stringify(output.value) };
    case "execution-denied":
      return { text: output.reason ?? "The call was denied." };
    case "content": {
      const parts = output.value.map((part) => {
        if (part.type === "text" || part.type === "file") return part;
        throw unsupported(`content of type ${part.type} in tool results`);
      });
      return contentOf(parts, "\n");
    }
  }
}

/** The image of a file part; throws if the file is no image, or if it would have to be downloaded. */
function toImage({ mediaType, data }: Pick<LanguageModelV4FilePart, "mediaType" | "data">): Image {
  const [kind, subtype = "*"] = mediaType.split("/");
  if (kind !== "image") throw unsupported(`files of type ${mediaType}`);
  if (data.type === "url") {
    const image = imageOfDataUrl(data.url.href);
    if (image === undefined) throw unsupported("URLs of images");
    return image;
  }
  if (data.type !== "data") throw unsupported(`images as ${data.type}`);
  const bytes = typeof data.data === "string" ? data.data : Buffer.from(data.data).toString("base64");
  return { mediaType: subtype === "*" ? "image/png" : mediaType, data: bytes };
}

function unsupported(functionality: string): UnsupportedFunctionalityError {
  const message = `Coxswain cannot send ${functionality} to a CLI. It takes images as base64 text or as bytes.`;
  return new UnsupportedFunctionalityError({ functionality, message });
}
