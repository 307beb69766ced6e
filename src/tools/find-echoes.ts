import type { JsonObject, JsonValue } from "../spec/json.ts";
import type { Message } from "../spec/message.ts";
import { ARGUMENT_KEYS, toDraftCall } from "./read-envelope.ts";
import { readJson } from "./read-json.ts";

const CALLS_KEY = /tool_calls["'“”‘’`]?\s*:\s*(?=[[{])/g;
const MOST_ENVELOPES = 200;

/** The calls that the conversation contains in messages of others than the assistant. */
export type Echoes = { has(name: string, args: JsonObject): boolean };

/**
 * Finds the calls in user messages, tool results and messages of other kinds. Envelopes are parsed and compared by name and
 * arguments. Letters and digits alone are compared too, so that quoting, escaping or line prefixes cannot hide a call.
 */
export function findEchoes(conversation: readonly Message[]): Echoes {
  const texts = conversation.flatMap(({ role, text }) => (role === "system" || role === "assistant" ? [] : [text]));
  const suspects = texts.filter((text) => /name/i.test(text));
  const signatures = new Set(suspects.flatMap((text) => [text, decode(text)]).flatMap(signaturesIn));
  const bare = suspects.map((text) => lettersOf(decode(withoutLinePrefixes(text)))).map(behindKey);
  return {
    has: (name, args) =>
      signatures.has(signatureOf(name, args)) ||
      ARGUMENT_KEYS.some((key) => {
        const wanted = lettersOf(`name${name}${key}${JSON.stringify(args)}`);
        return bare.some((text) => text.includes(wanted));
      }),
  };
}

/** The name and arguments of a call, without its id; the order of keys makes no difference. */
function signatureOf(name: string, args: JsonObject): string {
  return `${name}\0${canonical(args)}`;
}

/** Undoes JSON and HTML escapes, level by level. */
function decode(text: string): string {
  let decoded = text;
  for (let level = 0; level < 4; level += 1) {
    const next = decoded
      .replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
      .replace(/\\(["\\/_])/g, "$1")
      .replace(/\\[nrt]/g, " ")
      .replace(/&#(?:x([0-9a-f]{1,6})|(\d{1,7}));/gi, (_, hex?: string, decimal?: string) => toCharacter(hex, decimal))
      .replace(/&quot;/gi, '"')
      .replace(/&apos;/gi, "'")
      .replace(/&lt;/gi, "<")
      .replace(/&gt;/gi, ">")
      .replace(/&amp;/gi, "&");
    if (next === decoded) break;
    decoded = next;
  }
  return decoded;
}

function toCharacter(hex: string | undefined, decimal: string | undefined): string {
  const code = Number.parseInt(hex ?? decimal ?? "0", hex === undefined ? 10 : 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : "";
}

/** Removes quote marks, diff signs and line numbers from the start of each line. */
function withoutLinePrefixes(text: string): string {
  return text.replace(/^[ \t]*(?:(?:[>+*|#-]|\d{1,6}[:.|)]?)[ \t]*)+/gm, "");
}

/** The letters after the first key of an envelope. */
function behindKey(letters: string): string {
  const index = letters.indexOf("toolcalls");
  return index === -1 ? "" : letters.slice(index);
}

function lettersOf(text: string): string {
  return text.replace(/\/\*[\s\S]{0,2000}?\*\//g, "").replace(/[^\p{L}\p{N}]+/gu, "");
}

/** Stops at the first value that is cut off, because the values after it are cut off too. */
function signaturesIn(text: string): readonly string[] {
  const found: string[] = [];
  for (const match of text.matchAll(CALLS_KEY)) {
    const reading = readJson(text, match.index + match[0].length);
    if (reading.kind === "cut" || found.length > MOST_ENVELOPES) break;
    if (reading.kind !== "value") continue;
    const items: readonly JsonValue[] = Array.isArray(reading.value) ? reading.value : [reading.value];
    for (const call of items.map(toDraftCall)) if (typeof call !== "string") found.push(signatureOf(call.name, call.args));
  }
  return found;
}

function canonical(value: JsonValue): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([left], [right]) => (left < right ? -1 : 1)))
      : part,
  );
}
