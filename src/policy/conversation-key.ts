import { createHash } from "node:crypto";
import type { KnownTarget } from "../run/resolve-target.ts";
import type { Message } from "../spec/message.ts";
import type { RunRequest } from "../spec/request.ts";

/** The fields of a request that do not change what the model sees. */
const UNSEEN = ["prompt", "messages", "images", "metadata", "timeouts", "budget", "maxWaitMs", "invalidCalls"] as const;

/**
 * A digest of everything that makes a conversation: the target, the settings, the tools and every message. Two requests with the same key
 * ask the same model the same question.
 */
export function conversationKey({ target, id }: KnownTarget, request: RunRequest, messages: readonly Message[]): string {
  const settings = Object.fromEntries(Object.entries(request).filter(([name]) => !UNSEEN.some((unseen) => unseen === name)));
  const parts = [{ ...target, provider: id }, settings, messages.map(withoutLabel)];
  return createHash("sha256").update(sortedJson(parts)).digest("base64");
}

/** LangChain's agent gives each answer of the model the name of the step that asked for it. */
function withoutLabel(message: Message): Message {
  if (message.role !== "assistant") return message;
  const { name: _, ...answer } = message;
  return answer;
}

/** The JSON of a value with the keys of its objects in alphabetical order, because a caller may rebuild a message. */
function sortedJson(value: readonly unknown[]): string {
  return JSON.stringify(value, (_, entry: unknown) => {
    if (typeof entry !== "object" || entry === null || Array.isArray(entry)) return entry;
    return Object.fromEntries(Object.entries(entry).toSorted(([left], [right]) => (left < right ? -1 : 1)));
  });
}

/** The results at the end of a conversation, and the messages before them. */
export type SplitConversation = {
  readonly before: readonly Message[];
  readonly results: readonly Extract<Message, { role: "tool" }>[];
};

/** Splits the results of host tools from the end of a conversation. */
export function splitResults(messages: readonly Message[]): SplitConversation {
  const end = messages.findLastIndex(({ role }) => role !== "tool") + 1;
  const results = messages.slice(end).flatMap((message) => (message.role === "tool" ? [message] : []));
  return { before: messages.slice(0, end), results };
}
