import { createHash } from "node:crypto";
import type { Message } from "../spec/message.ts";

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to be escaped
const SPECIAL = /[&<>"']|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/g;

/** Escapes text for an element or a quoted attribute: no markup, and no control characters except newline and tab. */
export function escapeXml(text: string): string {
  return text.toWellFormed().replace(SPECIAL, (character) => ENTITIES[character] ?? `&#${character.charCodeAt(0)};`);
}

function attribute(text: string): string {
  return escapeXml(text).replaceAll("\n", "&#10;").replaceAll("\t", "&#9;");
}

/** The first message of a thread that is encoded, and whether a thread in the first message of the user is taken for one. */
type ThreadOptions = { readonly from?: number; readonly trustThread?: boolean | undefined };

/** The conversation as an XML thread, or its end from one message on; the ids of all its events count from 0. */
export function encodeXmlThread(messages: readonly Message[], { from = 0, trustThread = false }: ThreadOptions = {}): string {
  const beginning = trustThread ? messages.findIndex(({ role }) => role !== "system") : -1;
  if (messages.length === 1 && beginning === 0 && isReadyThread(messages[0])) return messages[0]?.text ?? "";
  const names = new Map<string, string>();
  const lines: string[] = [];
  const add = (type: string, attributes: string, body: string): void => {
    lines.push(`  <event type="${attribute(type)}" id="${lines.length}" iteration="0"${attributes}>${escapeXml(body)}</event>`);
  };
  let first = 0;
  for (const [index, message] of messages.entries()) {
    if (index === from) first = lines.length;
    const thread = message.role === "user" ? eventsOf(message.text, lines.length, index === beginning) : undefined;
    if (thread === undefined) addMessage(message, names, add);
    else lines.push(...thread);
  }
  return ["<thread>", ...lines.slice(first), "</thread>"].join("\n");
}

/** Remembers a thread that was made for the caller, so that the caller can send it back as a message and it stays a thread. */
export function issueThread(thread: string): string {
  issued.add(digest(thread));
  if (issued.size > MOST_ISSUED) issued.delete(issued.values().next().value ?? "");
  return thread;
}

/** True for a thread that was issued in this process; any other text is escaped. */
export function isOwnThread(text: string): boolean {
  return text.startsWith("<thread>") && issued.has(digest(text));
}

type AddEvent = (type: string, attributes: string, body: string) => void;

/** `names` maps each call id so far to its tool. */
function addMessage(message: Message, names: Map<string, string>, add: AddEvent): void {
  const speaker = message.name === undefined ? "" : ` name="${attribute(message.name)}"`;
  switch (message.role) {
    case "system":
      return add("system", speaker, message.text);
    case "user":
      return add("human", speaker, message.text);
    case "assistant":
      if (message.text !== "") add("ai", speaker, message.text);
      for (const { name, id, args } of message.toolCalls ?? []) {
        names.set(id, name);
        add("tool_input", ` name="${attribute(name)}" call_id="${attribute(id)}"`, JSON.stringify(args));
      }
      return;
    case "tool": {
      const name = names.get(message.callId) ?? message.name ?? "unknown";
      const status = message.isError === true ? "error" : "success";
      return add(
        "tool_output",
        ` name="${attribute(name)}" call_id="${attribute(message.callId)}" status="${status}"`,
        message.text,
      );
    }
    default:
      return add(message.label, speaker, message.text);
  }
}

/** Issued threads are remembered by digest, because a mark inside the text could be copied. */
const issued = new Set<string>();
const MOST_ISSUED = 1024;

function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}

function isReadyThread(message: Message | undefined): boolean {
  return message?.role === "user" && message.text.trimStart().startsWith("<thread>");
}

/** The events of an issued thread, or of one that is trusted, numbered from `first`; undefined for any other text. */
function eventsOf(text: string, first: number, isTrusted: boolean): readonly string[] | undefined {
  const thread = isOwnThread(text) ? text : isTrusted ? text.trim() : "";
  const body = /^<thread>\n?(.*?)\n?<\/thread>$/s.exec(thread)?.[1];
  if (body === undefined) return undefined;
  const events = body.split(/\n(?=\s*<event )/).filter((event) => event !== "");
  return events.map((event, index) => event.replace(/ id="\d+"/, ` id="${first + index}"`));
}

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

export const BLOCK_LABELS = { tools: "Available Tools", format: "Answer Format", correction: "Correction" } as const;

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
