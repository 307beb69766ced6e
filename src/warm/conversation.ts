import { createHash } from "node:crypto";
import { isThread } from "../prompts/to-prompt.ts";
import type { KnownTarget } from "../request/targets.ts";
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
  const parts = [{ ...target, provider: id }, settings, messages.map(essenceOf)];
  return createHash("sha256").update(sortedJson(parts)).digest("base64");
}

/** The key of the next turn of a session, whose messages the CLI has. */
export function sessionKey(target: KnownTarget, { session: _, ...request }: RunRequest, session: string): string {
  return `${session.toLowerCase()} ${conversationKey(target, request, [])}`;
}

/**
 * A message without what does not change it. LangChain's agent gives each answer of the model the name of the step that asked for it, and
 * callers write absent fields as empty ones.
 */
function essenceOf(message: Message): Message {
  const { images = [], ...rest } = message;
  const spoken = images.length === 0 ? rest : message;
  if (spoken.role === "tool" && spoken.isError === false) {
    const { isError: _, ...result } = spoken;
    return result;
  }
  if (spoken.role !== "assistant") return spoken;
  const { name: _, toolCalls = [], ...answer } = spoken;
  return toolCalls.length === 0 ? answer : { ...answer, toolCalls };
}

/** The JSON of a value with the keys of its objects in alphabetical order, because a caller may rebuild a message. */
function sortedJson(value: readonly unknown[]): string {
  return JSON.stringify(value, (_, entry: unknown) => {
    if (typeof entry !== "object" || entry === null || Array.isArray(entry)) return entry;
    return Object.fromEntries(Object.entries(entry).toSorted(([left], [right]) => (left < right ? -1 : 1)));
  });
}

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

/**
 * True if the CLI's conversation has the messages of the request and nothing else, so that a next message can continue it: no session and a
 * plain completion.
 */
export function isContinuable(request: RunRequest): boolean {
  return request.session === undefined && isPlainCompletion(request);
}

/** True for one message to a session in a plain completion without host tools. A thread of messages has a note in its system prompt, which a loaded session is not told. */
export function isPlainTurn(request: RunRequest): boolean {
  return request.session !== undefined && (request.tools ?? []).length === 0 && !isThread(request) && isPlainCompletion(request);
}

/** True for a completion without tools that the CLI runs, without a schema and without a prescribed prompt. */
function isPlainCompletion({ mode, maxTurns, mcpServers, outputSchema, threadEncoding }: RunRequest): boolean {
  return mode !== "agent" && [maxTurns, mcpServers, outputSchema, threadEncoding].every((value) => value === undefined);
}

/** True if the user has said something after an answer of the model; a loop of host tools alone is no such conversation. */
export function goesOn(messages: readonly Message[]): boolean {
  const answered = messages.findIndex(({ role }) => role === "assistant");
  return answered !== -1 && messages.slice(answered).some(({ role }) => role === "user");
}

/** The messages before the last one, if that is a plain message of the user to an answer of the model. */
export function splitMessage(messages: readonly Message[]): readonly Message[] | undefined {
  const [answer, last] = messages.slice(-2);
  const isNext = last?.role === "user" && last.name === undefined && last.text.trim() !== "";
  return isNext && answer?.role === "assistant" ? messages.slice(0, -1) : undefined;
}
