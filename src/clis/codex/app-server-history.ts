import type { JsonObject } from "../../spec/json.ts";
import type { Image, Message } from "../../spec/message.ts";
import type { Conversation, PromptRequest } from "../../spec/request.ts";

/** What a thread gets: the items of the messages before the turn, and the prompt and images of the turn; no prompt after results of tools. */
export type ThreadInput = { readonly items: readonly JsonObject[]; readonly prompt?: string; readonly images: readonly Image[] };

/** Splits a conversation into the history of a thread and the message that begins its turn. */
export function splitHistory({ prompt, images = [], conversation, session }: PromptRequest): ThreadInput {
  if (conversation === undefined || (session !== undefined && "resume" in session)) return { items: [], prompt, images };
  const { messages } = conversation;
  const last = messages.at(-1);
  if (last?.role !== "user") return { items: messages.flatMap(toItems), images: [] };
  return { items: messages.slice(0, -1).flatMap(toItems), prompt: last.text, images: last.images ?? [] };
}

/** The settings that replace those of the prompt: a conversation needs no note about a thread. */
export function systemOf({ system, conversation }: PromptRequest): Conversation["system"] {
  return conversation === undefined ? system : conversation.system;
}

/** The address of an image. */
export function imageUrl({ mediaType, data }: Image): string {
  return `data:${mediaType};base64,${data}`;
}

/** A message as items of OpenAI's Responses API. */
function toItems(message: Message): readonly JsonObject[] {
  const { text, images = [] } = message;
  switch (message.role) {
    case "user": {
      const pictures = images.map((image) => ({ type: "input_image", image_url: imageUrl(image) }));
      return [toMessage("user", [...pictures, { type: "input_text", text }])];
    }
    case "assistant": {
      const calls = (message.toolCalls ?? []).map(({ id, name, args }) => ({
        type: "function_call",
        name,
        arguments: JSON.stringify(args),
        call_id: id,
      }));
      return [...(text === "" ? [] : [toMessage("assistant", [{ type: "output_text", text }])]), ...calls];
    }
    case "tool":
      return [{ type: "function_call_output", call_id: message.callId, output: text }];
    default:
      // Codex drops items with the role `system`.
      return [toMessage("developer", [{ type: "input_text", text }])];
  }
}

function toMessage(role: string, content: readonly JsonObject[]): JsonObject {
  return { type: "message", role, content };
}
