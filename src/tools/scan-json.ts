/** The extent of a JSON object or array in a text, scanned leniently. */
export type JsonExtent = {
  /** The offset after the closing bracket, or the end of the text when there is none. */
  readonly end: number;
  /** True when the text ended before the outermost bracket was closed. */
  readonly isCut: boolean;
  /** True when the text ended inside a string. */
  readonly isInString: boolean;
  /** The brackets still open at the end of a cut text, outermost first. */
  readonly open: readonly string[];
  /** True when the structure is ambiguous: nested too deep, or a bracket inside a value was closed by the wrong one. */
  readonly isTangled: boolean;
  /** The text outside strings, with `""` for each string. */
  readonly skeleton: string;
  /** True when a string contains an escape that JSON does not have, or its own quote: a repair would be a guess. */
  readonly hasDoubtfulString: boolean;
};

const CLOSERS: Readonly<Record<string, string>> = { "{": "}", "[": "]" };
const QUOTES: Readonly<Record<string, string>> = { '"': '"', "'": "'", "“": "”", "‘": "’", "`": "`" };
const OPENS_VALUE = /[{[,:]\s*$/;
const ENDS_VALUE = /^\s*(?:[,:}\]]|$)/;
const MOST_DEPTH = 256;
/** A missing bracket is accepted in the envelope, its list and a call; at this depth it would be inside the arguments. */
const ENVELOPE_DEPTH = 3;

/**
 * Finds the end of the object or array that begins at `start`. Strings in double quotes follow JSON. Other quotes, which only
 * broken JSON uses, count only where a string can begin and end, so an apostrophe in a word does not. Comments are skipped.
 */
export function scanJson(text: string, start: number): JsonExtent {
  const scan = new Scan(text, start);
  while (scan.step());
  return scan.extent();
}

class Scan {
  private readonly text: string;
  private readonly start: number;
  private at: number;
  private readonly open: string[] = [];
  private readonly counts: Record<string, number> = { "{": 0, "[": 0 };
  private readonly pieces: string[] = [];
  private isInString = false;
  private isTangled = false;
  private hasDoubtfulString = false;
  private isClosed = false;

  constructor(text: string, start: number) {
    this.text = text;
    this.start = start;
    this.at = start;
  }

  /** Skips the next string, comment or character; false at the end. */
  step(): boolean {
    const { text, at } = this;
    if (at >= text.length || this.isClosed || this.isTangled) return false;
    const character = text[at] ?? "";
    if (character === "/" && (text[at + 1] === "/" || text[at + 1] === "*")) this.at = skipComment(text, at);
    else if (opensString(text, at, this.start)) this.skipString();
    else this.skipCharacter(character);
    return !this.isInString;
  }

  extent(): JsonExtent {
    const { open, isInString, isTangled, hasDoubtfulString } = this;
    const skeleton = this.pieces.join("");
    const end = this.isClosed || isTangled ? this.at : this.text.length;
    return { end, isCut: !this.isClosed && !isTangled, isInString, open, isTangled, skeleton, hasDoubtfulString };
  }

  private skipString(): void {
    const { text, at } = this;
    const string = readString(text, at);
    if (string === undefined) {
      this.isInString = true;
      return;
    }
    if (string.isDoubtful) this.hasDoubtfulString = true;
    this.pieces.push('""');
    this.at = string.end;
  }

  private skipCharacter(character: string): void {
    this.pieces.push(character);
    this.at += 1;
    if (character in CLOSERS) {
      this.open.push(character);
      this.counts[character] = (this.counts[character] ?? 0) + 1;
      if (this.open.length > MOST_DEPTH) this.isTangled = true;
    } else if (character === "}" || character === "]") this.close(character);
    if (this.open.length === 0) this.isClosed = true;
  }

  /** A closing bracket also closes what was left open in the envelope; inside a value that would be a guess. */
  private close(closer: string): void {
    const opener = closer === "}" ? "{" : "[";
    if ((this.counts[opener] ?? 0) === 0) return;
    for (let last = this.open.pop(); last !== undefined; last = this.open.pop()) {
      this.counts[last] = (this.counts[last] ?? 1) - 1;
      if (last === opener) return;
      if (this.open.length >= ENVELOPE_DEPTH) this.isTangled = true;
    }
  }
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

/** The end of a string, and whether it contains an escape that JSON does not have or its own quote. */
function readString(text: string, at: number): { readonly end: number; readonly isDoubtful: boolean } | undefined {
  const quote = text[at] ?? "";
  const closer = QUOTES[quote] ?? quote;
  let isDoubtful = false;
  for (let index = at + 1; index < text.length; index += 1) {
    if (text[index] === "\\") {
      if (!isEscape(text.slice(index + 1, index + 6), closer)) isDoubtful = true;
      index += 1;
    } else if (text[index] === closer) {
      if (quote === '"' || ENDS_VALUE.test(text.slice(index + 1, index + 200))) return { end: index + 1, isDoubtful };
      isDoubtful = true;
    }
  }
  return undefined;
}

function isEscape(next: string, closer: string): boolean {
  return /^(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.test(next) || next.startsWith(closer);
}
