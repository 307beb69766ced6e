import type { Colors } from "../screen.ts";
import type { Span } from "./word-flow.ts";

/** Longer texts are shown as they are, so that the time for one line has a bound. */
const LONGEST = 4000;
const DEEPEST = 6;

/** The spans of a text, and the length of the text that they show. */
export type Inline = { readonly spans: readonly Span[]; readonly length: number };

/**
 * Reads emphasis, code and links of a text. Unless the text is complete, it stops at a mark that is still open, because what
 * follows decides its meaning.
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
const LINK = /!?\[((?:[^[\]\\]|\\.|\[[^[\]]*\])*)\]\(\s*<?((?:[^()\s<>]|\([^()\s]*\))*)>?(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)/y;
const OPEN_LINK = /!?\[(?:[^[\]\\]|\\.|\[[^[\]]*\])*(?:\[[^\]]*|\](?:\([^)]*)?|\\)?$/y;
const AUTOLINK = /<(https?:\/\/[^\s<>]+|[^\s<>@]+@[^\s<>@]+)>/y;

class InlineReader {
  private readonly text: string;
  private readonly colors: Colors;
  private readonly isComplete: boolean;
  /** Where the code that begins behind a run of backticks ends, by the place of the run. */
  private readonly codeEnds: ReadonlyMap<number, number>;
  /** Marks that nothing closes: the search is not repeated for each of them. */
  private readonly neverClosed = new Set<string>();

  constructor(text: string, colors: Colors, isComplete: boolean) {
    this.text = text;
    this.colors = colors;
    this.isComplete = isComplete;
    this.codeEnds = findCodeEnds(text);
  }

  read(style: Style, depth: number): Inline {
    const spans: Span[] = [];
    let at = 0;
    while (at < this.text.length) {
      const marked = this.marked(at, style, depth);
      if (marked === "open") break;
      const plain = marked ?? this.plain(at, style);
      for (const span of plain.spans) addSpan(spans, span);
      at = plain.end;
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
    const inner = this.text.slice(at + mark.length, end).replace(/^ (.*\S.*) $/, "$1");
    return { spans: [{ text: inner, style: (text) => style(this.colors.cyan(text)) }], end: end + mark.length };
  }

  private emphasis(at: number, style: Style, depth: number): Marked | "open" | undefined {
    const run = match(/\*+|_+|~+/y, this.text, at)?.[0] ?? "";
    const literal = { spans: [{ text: run, style }], end: at + run.length };
    const after = this.text[at + run.length] ?? "";
    if (run.length > 3 || (run[0] === "~" && run.length !== 2) || after === "" || /\s/.test(after)) return literal;
    if (run[0] === "_" && /\w/.test(this.text[at - 1] ?? "")) return literal;
    const end = this.neverClosed.has(run) ? -1 : this.closingMark(at + run.length, run);
    if (end === -1) {
      this.neverClosed.add(run);
      return this.unclosed(literal);
    }
    const inner = this.text.slice(at + run.length, end);
    const both: Style = (text) => style(this.styleOf(run)(text));
    const { spans } = new InlineReader(inner, this.colors, true).read(both, depth + 1);
    return { spans, end: end + run.length };
  }

  /** A closing mark follows a character that is no blank; code before it is skipped. */
  private closingMark(from: number, run: string): number {
    for (let at = from; at < this.text.length; at += 1) {
      const character = this.text[at] ?? "";
      if (character === "\\") at += 1;
      else if (character === "`") {
        const mark = match(/`+/y, this.text, at)?.[0] ?? "`";
        at = (this.codeEnds.get(at) ?? at) + mark.length - 1;
      } else if (character === run[0]) {
        const found = match(/\*+|_+|~+/y, this.text, at)?.[0] ?? "";
        const isWord = run[0] === "_" && /\w/.test(this.text[at + found.length] ?? "");
        if (found.length === run.length && !/\s/.test(this.text[at - 1] ?? "") && !isWord) return at;
        at += found.length - 1;
      }
    }
    return -1;
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

  private styleOf(run: string): Style {
    const { bold, italic, strikethrough } = this.colors;
    if (run[0] === "~") return strikethrough;
    return [italic, bold, (text: string) => bold(italic(text))][run.length - 1] ?? bold;
  }
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
