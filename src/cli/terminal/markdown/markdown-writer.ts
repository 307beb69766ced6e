import type { Colors } from "../screen.ts";
import { readInline } from "./inline.ts";
import { tableBlock } from "./table-block.ts";
import { breakableLength, type Indent, type Span, WordFlow } from "./word-flow.ts";

/** A longer line without a place to break it is shown as it is, and a longer table in parts. */
const LONGEST_HELD = 4000;
const MOST_ROWS = 200;
/** Deep indents would leave no room for the text. */
const DEEPEST_INDENT = 16;

const FENCE = /^(\s*)(`{3,}(?=[^`]*$)|~{3,})/;
const TABLE_ROW = /^\s*\|/;
const HEADING = /^ {0,3}#{1,6}[ \t]/;
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])[ \t]+(?=\S)/;
/** The beginning of a line, without the blanks around it, that the next characters may make a list, a heading, code or a table. */
const UNDECIDED = /^(?:`{0,2}|~{0,2}|#{0,6}|[-*+]|\d{1,9}[.)]?|(?:```|~~~|\|).*)$/s;

type Fence = { readonly indent: string; readonly mark: string };

type Flow = { readonly words: WordFlow; readonly style: ((text: string) => string) | undefined };

/**
 * Renders Markdown for a terminal while it arrives: code, bold text, headings, links, lists and tables; the rest stays as it is written. Words of
 * a paragraph come out as soon as their meaning is certain, lines of code line by line, tables when they are complete. The text must not
 * contain control characters.
 */
export class MarkdownWriter {
  private readonly colors: Colors;
  private readonly width: () => number;
  private held = "";
  private flow: Flow | undefined;
  private fence: Fence | undefined;
  private rows: string[] = [];

  constructor(colors: Colors, width: () => number) {
    this.colors = colors;
    this.width = width;
  }

  write(text: string): string {
    const [first = "", ...rest] = text.split("\n");
    this.held += first;
    let output = "";
    for (const line of rest) {
      output += this.endLine();
      this.held = line;
    }
    return output + this.advance();
  }

  /** The output for everything that is held, as if the line ended here; a code block stays open. */
  flush(): string {
    const output = this.held === "" && this.flow === undefined ? "" : this.endLine();
    return (output + this.endTable()).replace(/\n$/, "");
  }

  private advance(): string {
    if (this.fence !== undefined) return "";
    const isLong = this.held.length > LONGEST_HELD;
    if (this.flow === undefined && !isLong && UNDECIDED.test(this.held.trim())) return "";
    const before = this.flow === undefined ? this.begin() : "";
    const text = isLong ? this.held : this.held.slice(0, breakableLength(this.held));
    return before + this.show(text, false);
  }

  private show(text: string, isComplete: boolean): string {
    const { words, style } = this.flow ?? {};
    const { spans, length } = readInline(text, this.colors, isComplete);
    this.held = this.held.slice(length);
    if (style === undefined) return words?.add(spans) ?? "";
    const styled = ({ text, style: own }: Span): Span => ({ text, style: (shown) => style(own?.(shown) ?? shown) });
    return words?.add(spans.map(styled)) ?? "";
  }

  /** Begins the flow of the current line; returns the table that ends before it. */
  private begin(): string {
    const table = this.endTable();
    const [whole, blanks = "", mark = ""] = ITEM.exec(this.held) ?? /^(\s*)/.exec(this.held) ?? [""];
    const style = HEADING.test(this.held) ? this.colors.bold : undefined;
    this.flow = { words: new WordFlow(this.width(), indentOf(blanks, mark)), style };
    this.held = this.held.slice(whole.length).replaceAll("\t", " ");
    return table;
  }

  private endLine(): string {
    if (this.fence !== undefined) return this.codeLine(this.fence);
    const line = this.held;
    const [opening, indent = "", mark = ""] = FENCE.exec(line) ?? [];
    if (this.flow === undefined && opening !== undefined) {
      this.held = "";
      this.fence = { indent, mark };
      return this.endTable() + (this.colors.isColorSupported ? "" : `${line}\n`);
    }
    if (this.flow === undefined && TABLE_ROW.test(line)) {
      this.held = "";
      this.rows.push(line);
      return this.rows.length < MOST_ROWS ? "" : this.endTable();
    }
    const before = this.flow === undefined ? this.begin() : "";
    const output = `${before}${this.show(this.held, true)}\n`;
    this.flow = undefined;
    return output;
  }

  private codeLine({ mark, indent }: Fence): string {
    const line = this.held;
    this.held = "";
    const { cyan, isColorSupported } = this.colors;
    const closing = line.trim();
    const isEnd = closing.length >= mark.length && closing === (mark[0] ?? "").repeat(closing.length);
    if (isEnd) this.fence = undefined;
    if (!isColorSupported) return `${line}\n`;
    if (isEnd) return "";
    const code = line.startsWith(indent) ? line.slice(indent.length) : line.trimStart();
    return code.trim() === "" ? "\n" : `${indent}  ${cyan(code)}\n`;
  }

  private endTable(): string {
    const { rows } = this;
    this.rows = [];
    return rows.length === 0 ? "" : `${tableBlock(rows, this.colors, this.width()).join("\n")}\n`;
  }
}

function indentOf(blanks: string, mark: string): Indent {
  const before = " ".repeat(Math.min(blanks.replaceAll("\t", "    ").length, DEEPEST_INDENT));
  if (mark === "") return { first: before, rest: before };
  const shown = /^\d/.test(mark) ? mark : "•";
  return { first: `${before}${shown} `, rest: `${before}${" ".repeat(shown.length + 1)}` };
}
