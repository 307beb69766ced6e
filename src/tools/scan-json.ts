/** How far a JSON object or array reaches in a text, read leniently. */
export type JsonExtent = {
  /** Behind the closing bracket, or the end of the text when there is none. */
  readonly end: number;
  /** True when the text ended before the outermost bracket was closed. */
  readonly isCut: boolean;
  /** True when the text ended inside a string. */
  readonly isInString: boolean;
  /** The brackets that were still open at the end of a cut text, outermost first. */
  readonly open: readonly string[];
};

const CLOSERS: Readonly<Record<string, string>> = { "{": "}", "[": "]" };
const QUOTES: Readonly<Record<string, string>> = { '"': '"', "'": "'", "“": "”", "‘": "’", "`": "`" };
const OPENS_VALUE = /[{[,:]\s*$/;
const ENDS_VALUE = /^\s*(?:[,:}\]]|$)/;

/**
 * Finds the end of the object or array that begins at `start`. Strings in double quotes are read as JSON has them; the quotes
 * that only broken JSON uses count where a string can begin and end, so an apostrophe in a word is none. Comments are passed over.
 */
export function scanJson(text: string, start: number): JsonExtent {
  const open: string[] = [];
  let at = start;
  while (at < text.length) {
    const character = text[at] ?? "";
    if (character === "/" && (text[at + 1] === "/" || text[at + 1] === "*")) at = skipComment(text, at);
    else if (opensString(text, at, start)) {
      const end = endOfString(text, at);
      if (end === undefined) return { end: text.length, isCut: true, isInString: true, open };
      at = end;
    } else {
      if (character in CLOSERS) open.push(character);
      else if (character === "}" || character === "]") close(open, character);
      at += 1;
      if (open.length === 0) return { end: at, isCut: false, isInString: false, open };
    }
  }
  return { end: text.length, isCut: true, isInString: false, open };
}

/** A bracket closes everything that was left open inside. */
function close(open: string[], closer: string): void {
  const index = open.findLastIndex((opener) => CLOSERS[opener] === closer);
  if (index >= 0) open.length = index;
}

function skipComment(text: string, at: number): number {
  const end = text[at + 1] === "/" ? text.indexOf("\n", at) : text.indexOf("*/", at + 2);
  if (end === -1) return text.length;
  return text[at + 1] === "/" ? end : end + 2;
}

function opensString(text: string, at: number, start: number): boolean {
  const character = text[at] ?? "";
  if (character === '"') return true;
  return character in QUOTES && OPENS_VALUE.test(text.slice(Math.max(start, at - 200), at));
}

function endOfString(text: string, at: number): number | undefined {
  const quote = text[at] ?? "";
  const closer = QUOTES[quote] ?? quote;
  for (let index = at + 1; index < text.length; index += 1) {
    if (text[index] === "\\") index += 1;
    else if (text[index] === closer && (quote === '"' || ENDS_VALUE.test(text.slice(index + 1, index + 200)))) return index + 1;
  }
  return undefined;
}
