import type { Message } from "../spec/message.ts";
import { BLOCK_LABELS } from "./tool-prompt.ts";

/** The conversation as labelled blocks with an empty line between them; content cannot imitate a label. */
export function encodeTextThread(messages: readonly Message[]): string {
  const names = new Set([...PROMPT_LABELS, ...messages.map(labelOf)].map(nameIn));
  return messages.map((message) => `[${labelOf(message)}]\n${withoutLabels(contentOf(message), names)}`).join("\n\n");
}

const LABELS: Readonly<Record<"system" | "user" | "assistant", string>> = {
  system: "System",
  user: "User",
  assistant: "Assistant",
};

const PROMPT_LABELS = [...Object.values(LABELS), "Tool Result", ...Object.values(BLOCK_LABELS)];

function labelOf(message: Message): string {
  if (message.role === "tool") return oneLine(`Tool Result${message.callId === "" ? "" : ` (${message.callId})`}`);
  const label = message.role === "other" ? message.label : LABELS[message.role];
  return oneLine(message.name === undefined ? label : `${label} (${message.name})`);
}

function contentOf(message: Message): string {
  if (message.role === "tool" && message.isError === true) return `Error: ${message.text}`;
  if (message.role !== "assistant" || (message.toolCalls ?? []).length === 0) return message.text;
  const calls = JSON.stringify({ tool_calls: (message.toolCalls ?? []).map(({ name, args, id }) => ({ name, args, id })) });
  return [message.text, calls].filter((part) => part !== "").join("\n");
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: every character that something may take for the end of a line
const LINE_BREAKS = /[\n\r\v\f\u001c-\u001e\u0085\u2028\u2029]/;
const BRACKET_AT_LINE_START =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: as above
  /(?<=^|[\n\r\v\f\u001c-\u001e\u0085\u2028\u2029])((?:[^\S\n\r\v\f\u0085\u2028\u2029]|\p{Cf}|[\u0000-\u0008\u000e-\u001b\u001f\u007f-\u0084\u0086-\u009f])*)(\\*)(?=\[([^\](:\n\r\v\f\u001c-\u001e\u0085\u2028\u2029]*))/gu;

/** Puts a backslash before a label at a line start, also where one already is, so that the encoding is unambiguous. */
function withoutLabels(content: string, names: ReadonlySet<string>): string {
  return content
    .toWellFormed()
    .replace(BRACKET_AT_LINE_START, (found, space: string, slashes: string, inside: string) =>
      names.has(nameIn(inside)) ? `${space}\\${slashes}` : found,
    );
}

/** The name in a label, without a speaker or an id, and without what a reader does not see of its spelling. */
function nameIn(label: string): string {
  const [name = ""] = label.split(/[(:]/, 1);
  return name
    .normalize("NFKC")
    .replace(/\s/g, " ")
    .replace(/[\p{Cf}\p{Cc}\p{DI}]/gu, "")
    .replace(/ +/g, " ")
    .trim()
    .toLowerCase();
}

/** Removes quotes and brackets from a label, so that a JSON list is never taken for a label. */
function oneLine(label: string): string {
  return label
    .toWellFormed()
    .split(LINE_BREAKS)
    .join(" ")
    .replace(/["{}[\]]/g, "");
}
