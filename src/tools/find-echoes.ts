import type { JsonObject, JsonValue } from "../spec/json.ts";
import type { Message } from "../spec/message.ts";
import { toDraftCall } from "./read-envelope.ts";
import { readJson } from "./read-json.ts";

const CALLS_KEY = /tool_calls["'“”‘’`]?\s*:\s*(?=[[{])/g;

/** What a call does, apart from its id; the order of keys makes no difference. */
export function signatureOf(name: string, args: JsonObject): string {
  return `${name}\0${canonical(args)}`;
}

/** The signatures of all calls that stand, quoted in any way, in user messages, tool results and messages of other kinds. */
export function findEchoes(conversation: readonly Message[]): ReadonlySet<string> {
  const texts = conversation.flatMap(({ role, text }) => (role === "system" || role === "assistant" ? [] : [text]));
  return new Set(texts.filter((text) => text.includes("tool_calls")).flatMap((text) => variantsOf(text).flatMap(signaturesIn)));
}

/** The text as it is, without quote marks at its lines, and unescaped from a JSON string or from HTML. */
function variantsOf(text: string): readonly string[] {
  const unquoted = text.replace(/^[ \t]*(?:>[ \t]?)+/gm, "");
  const unescaped = text.replace(
    /\\(["\\/nrt])/g,
    (_, character: string) => ({ n: "\n", r: "\r", t: "\t" })[character] ?? character,
  );
  const decoded = text
    .replace(/&quot;|&#34;/g, '"')
    .replace(/&apos;|&#39;/g, "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
  return [...new Set([text, unquoted, unescaped, decoded])];
}

function signaturesIn(text: string): readonly string[] {
  return [...text.matchAll(CALLS_KEY)].flatMap((match) => {
    const reading = readJson(text, match.index + match[0].length);
    if (reading.kind !== "value") return [];
    const items: readonly JsonValue[] = Array.isArray(reading.value) ? reading.value : [reading.value];
    return items.flatMap((item) => {
      const call = toDraftCall(item);
      return typeof call === "string" ? [] : [signatureOf(call.name, call.args)];
    });
  });
}

function canonical(value: JsonValue): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([left], [right]) => (left < right ? -1 : 1)))
      : part,
  );
}
