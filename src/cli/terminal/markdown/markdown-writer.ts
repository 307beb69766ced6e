import type { Colors } from "../screen.ts";
import { readInline } from "./inline.ts";
import { type FenceLayout, type FlowLayout, layoutOf } from "./line-layout.ts";
import { tableBlock } from "./table-block.ts";
import { breakableLength, type Span, WordFlow } from "./word-flow.ts";

/** A longer line without a place to break it is shown as it is, and a longer table in parts. */
const LONGEST_HELD = 4000;
const MOST_ROWS = 200;
const WIDEST_RULE = 40;

/**
 * Renders Markdown for a terminal while it arrives. Words of a paragraph come out as soon as their meaning is certain, lines of code
 * line by line, tables when they are complete. The text must not contain control characters.
 */
export class MarkdownWriter {
  private readonly colors: Colors;
  private readonly width: () => number;
  /** The part of the current line that is not shown yet. */
  private held = "";
  private flow: { readonly words: WordFlow; readonly layout: FlowLayout } | undefined;
  private fence: FenceLayout | undefined;
  private rows: string[] = [];
  private inList = false;

  constructor(colors: Colors, width: () => number) {
    this.colors = colors;
    this.width = width;
  }

  /** The output for the next piece of text. */
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

  /** Shows as much of an incomplete line as is certain. */
  private advance(): string {
    if (this.fence !== undefined || (this.rows.length > 0 && this.held === "")) return "";
    const output = this.flow === undefined ? this.begin(false) : "";
    if (this.flow === undefined) return output;
    const text = this.held.length > LONGEST_HELD ? this.held : this.held.slice(0, breakableLength(this.held));
    if (text === "") return output;
    const { spans, length } = readInline(text, this.colors, false);
    return output + this.show(spans, length);
  }

  private show(spans: readonly Span[], length: number): string {
    this.held = this.held.slice(length);
    const { words, layout } = this.flow ?? {};
    if (words === undefined) return "";
    const style = layout?.style;
    if (style === undefined) return words.add(spans);
    return words.add(spans.map((span) => ({ text: span.text, style: (text) => style(span.style?.(text) ?? text) })));
  }

  /** Begins the flow of the current line if its layout is certain; returns the table that ends before it. */
  private begin(isComplete: boolean): string {
    const layout = layoutOf(this.held, isComplete || this.held.length > LONGEST_HELD, this.inList, this.colors);
    if (layout?.kind !== "flow") return "";
    const table = this.endTable();
    this.inList = layout.isItem || (this.inList && /^\s/.test(this.held));
    this.held = this.held.slice(layout.from).replaceAll("\t", " ");
    this.flow = { words: new WordFlow(this.width(), layout.indent), layout };
    return table;
  }

  private endLine(): string {
    if (this.fence !== undefined) return this.codeLine(this.fence);
    const table = this.flow === undefined ? this.begin(true) : "";
    if (this.flow !== undefined) {
      const { spans, length } = readInline(this.held, this.colors, true);
      const output = `${table}${this.show(spans, length)}\n`;
      this.flow = undefined;
      this.held = "";
      return output;
    }
    return this.specialLine();
  }

  private specialLine(): string {
    const line = this.held;
    this.held = "";
    const layout = layoutOf(line, true, this.inList, this.colors);
    if (layout?.kind === "table") {
      this.rows.push(line);
      return this.rows.length < MOST_ROWS ? "" : this.endTable();
    }
    const table = this.endTable();
    switch (layout?.kind) {
      case "fence":
        this.fence = layout;
        return this.colors.isColorSupported ? table : `${table}${line}\n`;
      case "rule":
        return `${table}${this.colors.dim("─".repeat(Math.min(this.width(), WIDEST_RULE)))}\n`;
      default:
        return `${table}${line.trimEnd()}\n`;
    }
  }

  private codeLine({ mark, indent }: FenceLayout): string {
    const line = this.held;
    this.held = "";
    const { cyan, isColorSupported } = this.colors;
    const closing = line.trim();
    if (closing.length >= mark.length && closing === (mark[0] ?? "").repeat(closing.length)) {
      this.fence = undefined;
      return isColorSupported ? "" : `${line}\n`;
    }
    if (!isColorSupported) return `${line}\n`;
    const code = line.startsWith(indent) ? line.slice(indent.length) : line.trimStart();
    return code.trim() === "" ? "\n" : `${indent}  ${cyan(code)}\n`;
  }

  private endTable(): string {
    const { rows } = this;
    this.rows = [];
    return rows.length === 0 ? "" : `${tableBlock(rows, this.colors, this.width()).join("\n")}\n`;
  }
}
