import type { Colors } from "../screen.ts";
import { type Emphasis, findEmphasis } from "./emphasis.ts";
import { breakableLength, type Span } from "./word-flow.ts";

/** Longer texts are shown as they are, so that the time for one line has a bound. */
const LONGEST = 4000;
const DEEPEST = 6;

/** The spans of a text, and the length of the text that they show. */
export type Inline = { readonly spans: readonly Span[]; readonly length: number };

/**
 * Reads emphasis, code and links of a text. Unless the text is complete, it stops at the last place before an open mark
 * where a line may be broken, because what follows decides the meaning of the mark.
 */
export function readInline(text: string, colors: Colors, isComplete: boolean): Inline {
  if (!colors.isColorSupported || text.length > LONGEST) return { spans: [{ text }], length: text.length };
  return new InlineReader(text, colors, isComplete).read((same) => same, 0);
}

type Style = (text: string) => string;
type Marked = { readonly spans: readonly Span[]; readonly end: number };

const ESCAPED = /[!-/:-@[-`{-~]/;
const PLAIN = /[^\\`*_~[<!h]+|h/y;
const ADDRESS = /https?:\/\/[^\s<>`]+/y;
const LINK = /!?\[((?:[^[\]\\]|\\.|\[[^[\]]*\])*)\]\(\s*(?!\s)<?((?:[^()\s<>]|\([^()\s]*\))*)>?(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)/y;
const OPEN_LINK = /!?\[(?:[^[\]\\]|\\.|\[[^[\]]*\])*(?:\[[^\]]*|\](?:\([^)]*)?|\\)?$/y;
const AUTOLINK = /<(https?:\/\/[^\s<>]+|[^\s<>@]+@[^\s<>@]+)>/y;

class InlineReader {
  private readonly text: string;
  private readonly colors: Colors;
  private readonly isComplete: boolean;
  /** Where the code that begins behind a run of backticks ends, by the place of the run. */
  private readonly codeEnds: ReadonlyMap<number, number>;
  private readonly emphases: Emphasis;

  constructor(text: string, colors: Colors, isComplete: boolean) {
    this.text = text;
    this.colors = colors;
    this.isComplete = isComplete;
    this.codeEnds = findCodeEnds(text);
    this.emphases = findEmphasis(text, this.codeEnds, isComplete);
  }

  read(style: Style, depth: number): Inline {
    const spans: Span[] = [];
    let at = 0;
    let certain = 0;
    while (at < this.text.length) {
      const marked = this.marked(at, style, depth);
      if (marked === "open") return new InlineReader(this.text.slice(0, certain), this.colors, true).read(style, depth);
      const { spans: found, end } = marked ?? this.plain(at, style);
      for (const span of found) addSpan(spans, span);
      const breakable = marked === undefined ? breakableLength(this.text.slice(at, end)) : 0;
      if (breakable > 0) certain = at + breakable;
      at = end;
    }
    return { spans, length: at };
  }

  private marked(at: number, style: Style, depth: number): Marked | "open" | undefined {
    switch (this.text[at]) {
      case "`":
        return this.code(at, style);
      case "*":
      case "_":
      case "~":
        return depth < DEEPEST ? this.emphasis(at, style, depth) : undefined;
      case "[":
      case "!":
        return this.link(at, style, depth);
      default:
        return undefined;
    }
  }

  private plain(at: number, style: Style): Marked {
    const address = match(ADDRESS, this.text, at) ?? match(AUTOLINK, this.text, at);
    if (address !== undefined) {
      const shown = address[1] ?? address[0];
      return { spans: [{ text: shown, style: (text) => style(this.colors.underline(text)) }], end: at + address[0].length };
    }
    const next = this.text[at + 1] ?? "";
    if (this.text[at] === "\\" && ESCAPED.test(next)) return { spans: [{ text: next, style }], end: at + 2 };
    const found = match(PLAIN, this.text, at)?.[0] ?? this.text[at] ?? "";
    return { spans: [{ text: found, style }], end: at + found.length };
  }

  private code(at: number, style: Style): Marked | "open" | undefined {
    const mark = match(/`+/y, this.text, at)?.[0] ?? "`";
    const end = this.codeEnds.get(at);
    if (end === undefined) return this.unclosed({ spans: [{ text: mark, style }], end: at + mark.length });
    const inner = withoutOuterBlanks(this.text.slice(at + mark.length, end));
    return { spans: [{ text: inner, style: (text) => style(this.colors.cyan(text)) }], end: end + mark.length };
  }

  private emphasis(at: number, style: Style, depth: number): Marked | "open" | undefined {
    const pair = this.emphases.pairs.get(at);
    if (pair === undefined) return !this.isComplete && this.emphases.open.has(at) ? "open" : undefined;
    const { end, length } = pair;
    const inner = this.text.slice(at + length, end);
    const both: Style = (text) => style(this.styleOf(at, length)(text));
    const { spans } = new InlineReader(inner, this.colors, true).read(both, depth + 1);
    return { spans, end: end + length };
  }

  private link(at: number, style: Style, depth: number): Marked | "open" | undefined {
    const found = match(LINK, this.text, at);
    if (found === undefined) {
      const isOpen = !this.isComplete && match(OPEN_LINK, this.text, at) !== undefined;
      return isOpen ? "open" : undefined;
    }
    const [whole = "", label = "", address = ""] = found;
    const { dim, underline } = this.colors;
    const { spans } = new InlineReader(label, this.colors, true).read((text) => style(underline(text)), depth + 1);
    const end = at + whole.length;
    if (address === "" || address === label) return { spans, end };
    return { spans: [...spans, { text: ` (${address})`, style: dim }], end };
  }

  private unclosed(literal: Marked): Marked | "open" {
    return this.isComplete ? literal : "open";
  }

  private styleOf(at: number, length: number): Style {
    const { bold, italic, strikethrough } = this.colors;
    if (this.text[at] === "~") return strikethrough;
    return length === 1 ? italic : bold;
  }
}

/** One blank on both sides only separates code from its marks. */
function withoutOuterBlanks(code: string): string {
  return code.startsWith(" ") && code.endsWith(" ") && code.trim() !== "" ? code.slice(1, -1) : code;
}

/** Code ends at the next run of backticks with the same length. */
function findCodeEnds(text: string): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  const next = new Map<number, number>();
  for (const { 0: run, index } of [...text.matchAll(/`+/g)].reverse()) {
    const end = next.get(run.length);
    if (end !== undefined) ends.set(index, end);
    next.set(run.length, index);
  }
  return ends;
}

function addSpan(spans: Span[], { text, style }: Span): void {
  const last = spans.at(-1);
  if (last === undefined || last.style !== style) spans.push({ text, ...(style !== undefined && { style }) });
  else spans[spans.length - 1] = { ...last, text: last.text + text };
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}
