import type { Message } from "../spec/message.ts";
import { isOwnThread } from "./thread-xml.ts";

/** CLIs cut a longer result of a tool in a history. */
const LONGEST_RESULT_BYTES = 40_000;

/**
 * True if a conversation means the same as messages of the model's API as it does as a thread: no speaker has a name, every call has its
 * result at once, and the last message is for the model to answer.
 */
export function canBeMessages(messages: readonly Message[]): boolean {
  const last = messages.at(-1);
  const isForModel = last?.role === "tool" || (last?.role === "user" && last.text.trim() !== "");
  return isForModel && messages.every(isPlain) && hasWholeCalls(messages);
}

function isPlain(message: Message): boolean {
  if (message.role === "other" || (message.name !== undefined && message.role !== "tool")) return false;
  if (message.role !== "user" && (message.images ?? []).length > 0) return false;
  if (message.role === "user" && isOwnThread(message.text)) return false;
  if (message.role === "tool") return Buffer.byteLength(message.text) <= LONGEST_RESULT_BYTES;
  return message.text !== "" || (message.role === "assistant" && (message.toolCalls ?? []).length > 0);
}

/** An API refuses calls without a result, results without a call, and an id that comes twice; a CLI drops or invents them. */
function hasWholeCalls(messages: readonly Message[]): boolean {
  const seen = new Set<string>();
  const open = new Set<string>();
  for (const message of messages) {
    if (message.role === "tool") {
      if (!open.delete(message.callId)) return false;
      continue;
    }
    if (open.size > 0) return false;
    for (const { id } of message.role === "assistant" ? (message.toolCalls ?? []) : []) {
      if (seen.has(id)) return false;
      seen.add(id);
      open.add(id);
    }
  }
  return open.size === 0;
}
