import { SLICE, type Sliced } from "./slices.ts";

/** The extent of a JSON object or array in a text, scanned leniently. */
export type JsonExtent = {
  /** The offset after the closing bracket, or the end of the text when there is none. */
  readonly end: number;
  /** True when the text ended before the outermost bracket was closed. */
  readonly isCut: boolean;
  readonly isInString: boolean;
  /** The brackets still open at the end of a cut text, outermost first. */
  readonly open: readonly string[];
  /** True when a bracket inside a value was closed by the wrong one. */
  readonly isTangled: boolean;
  /** True when the value is nested too deep or has too many values to be parsed in a short time. */
  readonly isTooLarge: boolean;
  /** True when a string contains an escape that JSON does not have, or its own quote: a repair would be a guess. */
  readonly hasDoubtfulString: boolean;
};

const QUOTES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ["“", "”"],
  ["‘", "’"],
  ["`", "`"],
]);
const MOST_DEPTH = 256;
/** `JSON.parse` takes up to 80 ms for an object with this many keys. */
const MOST_VALUES = 50_000;
/** A missing bracket is accepted in the envelope, its list and a call; at this depth it would be inside the arguments. */
const ENVELOPE_DEPTH = 3;

/**
 * Finds the end of the object or array that begins at `start`. Strings in double quotes follow JSON. Other quotes, which only
 * broken JSON uses, count only where a string can begin and end, so an apostrophe in a word does not. Comments are skipped.
 */
export function* scanJson(text: string, start: number, limit: number = text.length): Sliced<JsonExtent> {
  const scan = new Scan(text, start, limit);
  while (scan.doSlice()) yield;
  return scan.extent();
}

/** The text of a value outside strings and comments, with `""` for each string; undefined when that and the comments are longer. */
export function skeletonOf(source: string, longest: number): string | undefined {
  const scan = new Scan(source, 0, source.length);
  const pieces: string[] = [];
  scan.pieces = pieces;
  while (scan.outside <= longest && scan.doSlice());
  return scan.outside > longest ? undefined : pieces.join("");
}

class Scan {
  /** Receives what stands outside strings, if it is wanted. */
  pieces: string[] | undefined;
  /** How many characters stand outside strings; each string counts as two quotes. */
  outside = 0;
  private readonly text: string;
  private readonly limit: number;
  private at: number;
  private readonly open: string[] = [];
  private readonly counts = { "{": 0, "[": 0 };
  private values = 0;
  /** The last character outside strings that is not white space. */
  private before = "";
  /** The closing quote of the string that the scan is in, and its opening one. */
  private closer = "";
  private quote = "";
  private isTangled = false;
  private isTooLarge = false;
  private hasDoubtfulString = false;
  private isOver = false;

  constructor(text: string, start: number, limit: number) {
    this.text = text;
    this.limit = limit;
    this.at = start;
  }

  /** Scans the next part of the text; false at the end. */
  doSlice(): boolean {
    const until = Math.min(this.limit, this.at + SLICE);
    while (this.at < until && !this.isOver) {
      if (this.closer !== "") this.skipInString(until);
      else this.skipOutside(this.text[this.at] ?? "");
    }
    return this.at < this.limit && !this.isOver;
  }

  extent(): JsonExtent {
    const { open, isTangled, isTooLarge, isOver, hasDoubtfulString } = this;
    const end = isOver ? this.at : this.limit;
    return { end, isCut: !isOver, isInString: this.closer !== "", open, isTangled, isTooLarge, hasDoubtfulString };
  }

  /** A string in double quotes ends at the next one; another string ends where a value can end. */
  private skipInString(until: number): void {
    const { text, closer } = this;
    for (let index = this.at; index < until; index += 1) {
      const character = text[index];
      if (character === "\\") {
        if (!isEscape(text.slice(index + 1, Math.min(index + 6, this.limit)), closer)) this.hasDoubtfulString = true;
        index += 1;
      } else if (character === closer) {
        if (this.quote === '"' || endsValue(text, index + 1, this.limit)) return this.closeString(index + 1);
        this.hasDoubtfulString = true;
      }
      this.at = index + 1;
    }
  }

  private closeString(end: number): void {
    this.closer = "";
    this.at = end;
    this.before = '"';
    this.pieces?.push('""');
    this.outside += 2;
  }

  private skipOutside(character: string): void {
    const next = this.text[this.at + 1];
    if (character === "/" && (next === "/" || next === "*")) {
      const end = behindComment(this.text, this.at, this.limit);
      this.outside += end - this.at;
      this.at = end;
      this.before = "/";
      return;
    }
    this.at += 1;
    const closer = QUOTES.get(character);
    if (closer !== undefined && (character === '"' || isOneOf("{[,:", this.before))) {
      this.quote = character;
      this.closer = closer;
      return;
    }
    this.skipCharacter(character);
  }

  private skipCharacter(character: string): void {
    this.pieces?.push(character);
    this.outside += 1;
    if (!isSpace(character)) this.before = character;
    if (character === "{" || character === "[") {
      this.open.push(character);
      this.counts[character] += 1;
      this.values += 1;
    } else if (character === "}" || character === "]") this.close(character === "}" ? "{" : "[");
    else if (character === ",") this.values += 1;
    if (this.open.length === 0) this.isOver = true;
    if (this.open.length > MOST_DEPTH || this.values > MOST_VALUES) this.isTooLarge = this.isOver = true;
  }

  /** A closing bracket also closes what was left open in the envelope; inside a value that would be a guess. */
  private close(opener: "{" | "["): void {
    if (this.counts[opener] === 0) return;
    for (let last = this.open.pop(); last !== undefined; last = this.open.pop()) {
      this.counts[last as "{" | "["] -= 1;
      if (last === opener) return;
      if (this.open.length >= ENVELOPE_DEPTH) this.isTangled = this.isOver = true;
    }
  }
}

function behindComment(text: string, at: number, limit: number): number {
  const rest = text.slice(at, limit);
  const end = rest.startsWith("//") ? rest.indexOf("\n") : rest.indexOf("*/", 2);
  if (end === -1) return limit;
  return at + end + (rest.startsWith("//") ? 0 : 2);
}

function endsValue(text: string, from: number, limit: number): boolean {
  const last = Math.min(limit, from + 200);
  let at = from;
  while (at < last && isSpace(text[at] ?? "")) at += 1;
  return at >= last || isOneOf(",:}]", text[at] ?? "");
}

function isOneOf(characters: string, character: string): boolean {
  return character !== "" && characters.includes(character);
}

function isSpace(character: string): boolean {
  return character <= " " || (character >= "\u00a0" && /^\s$/.test(character));
}

function isEscape(next: string, closer: string): boolean {
  return /^(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.test(next) || next.startsWith(closer);
}

/** Follows the brackets of a JSON value while it streams in, to know where it ends. */
export class BraceCount {
  private depth = 0;
  private isInString = false;
  private isEscaped = false;
  /** Other quotes than JSON's may hide brackets: such a value never counts as complete. */
  isLost = false;
  isComplete = false;

  /** Returns how many characters of the piece belong to the value. */
  take(piece: string): number {
    if (this.isLost) return piece.length;
    for (let index = 0; index < piece.length; index += 1) {
      this.step(piece[index] ?? "");
      if (this.isComplete) return index + 1;
    }
    return piece.length;
  }

  private step(character: string): void {
    if (this.isInString) {
      if (this.isEscaped) this.isEscaped = false;
      else if (character === "\\") this.isEscaped = true;
      else if (character === '"') this.isInString = false;
    } else if (character === '"') this.isInString = true;
    else if ("'`“”‘’/".includes(character)) this.isLost = true;
    else if (character === "{" || character === "[") this.depth += 1;
    else if (character === "}" || character === "]") {
      this.depth -= 1;
      this.isComplete = this.depth === 0 && !this.isLost;
    }
  }
}
