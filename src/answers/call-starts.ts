/** The beginnings of calls in notations that other products use. */
export const OTHER_NOTATIONS: readonly string[] = ["<tool_call", "<function_calls", "<invoke"];

const FENCE_WORDS: ReadonlySet<string> = new Set(["", "json", "json5", "jsonc", "tool_calls", "tool_call"]);

/** True if a fence with this info string may hold a call: it has none, or its first word names JSON or calls. */
export function mayHoldCall(info: string): boolean {
  return FENCE_WORDS.has(/^\S{0,20}/.exec(info)?.[0].toLowerCase() ?? "");
}

/** Where the JSON in a one-line fence begins and ends, and where the fence ends. */
export function oneLineFence(
  line: string,
): { readonly jsonStart: number; readonly contentEnd: number; readonly end: number } | undefined {
  const opening = /^ {0,3}(`{3,})/.exec(line);
  const fence = opening?.[1];
  if (opening === null || fence === undefined || !line.endsWith(fence) || line.at(-fence.length - 1) === "`") return undefined;
  const jsonStart = line.indexOf("{");
  const contentEnd = line.length - fence.length;
  if (jsonStart === -1 || jsonStart > contentEnd) return undefined;
  const word = line.slice(opening[0].length, jsonStart).trim().toLowerCase();
  return FENCE_WORDS.has(word) ? { jsonStart, contentEnd, end: line.length } : undefined;
}

const QUOTE = `(?:["'“”‘’\`]|&quot;|&#34;|\\\\")`;
const CALLS_KEY = `\\s{0,200}${QUOTE}?tool_calls${QUOTE}?\\s{0,200}(?::|$)`;
const MARK = `\\s{0,200}${QUOTE}?mark${QUOTE}?\\s{0,20}:[^{}\\n]{0,80}?,`;
const FIRST_KEY = new RegExp(`\\{(?:${MARK})?${CALLS_KEY}`);
const AT_START = new RegExp(`^${FIRST_KEY.source}`);
const ANY_KEY = new RegExp(`\\{(?=(?:${MARK}|[^{}\\n]{0,300}?["'“”‘’\`])?${CALLS_KEY})`);
/** How far in front of its key an envelope can begin, and how many characters follow until the key is certain. */
const LOOK_BACK = 330;
const LOOK_AHEAD = 430;

/** True if an envelope begins at this offset with the key `tool_calls`, or with its mark and then that key. */
export function beginsEnvelope(text: string, at: number, to: number = text.length): boolean {
  return AT_START.test(text.slice(at, Math.min(to, at + LOOK_BACK + LOOK_AHEAD)));
}

/** The offset of the first envelope between two offsets whose key is the word at `word`; -1 when that word is no such key. */
export function envelopeAround(
  text: string,
  word: number,
  { from, to, keys }: { readonly from: number; readonly to: number; readonly keys: "first" | "any" },
): number {
  const start = Math.max(from, word - LOOK_BACK);
  const part = text.slice(start, Math.min(to, word + LOOK_AHEAD));
  const index = (keys === "any" ? ANY_KEY : FIRST_KEY).exec(part)?.index;
  return index === undefined ? -1 : start + index;
}
