import type { Sliced } from "../slices.ts";
import {
  closesFence,
  countCells,
  type Fence,
  htmlBlock,
  htmlBlockEnd,
  indentOf,
  isBlank,
  isDelimiterRow,
  isHeading,
  isQuoteLine,
  isThematicBreak,
  isUnderline,
  lineEndOf,
  linesWhile,
  listMarker,
  openingFence,
} from "./lines.ts";

/** A top-level block of a Markdown text. `verbatim` is indented code or raw HTML, `plain` a line without text. */
export type Block = { readonly start: number; readonly end: number } & (
  | { readonly kind: "paragraph" | "heading" | "list" | "quote" | "table" | "html" | "verbatim" | "plain" }
  | { readonly kind: "fence"; readonly info: string; readonly contentStart: number; readonly contentEnd: number }
);

/**
 * Reads the top-level block that begins at `at` in one pass over its lines, by CommonMark's rules of block structure. Inline
 * markup is not read. Line ends are "\n".
 */
export function* nextBlock(text: string, at: number): Sliced<Block> {
  const end = lineEndOf(text, at);
  if (isBlank(text, at, end))
    return { kind: "plain", start: at, end: yield* linesWhile(text, end, (from, to) => isBlank(text, from, to)) };
  if (isThematicBreak(text, at, end)) return { kind: "plain", start: at, end };
  if (indentOf(text, at, end).columns > 3)
    return { kind: "verbatim", start: at, end: yield* linesWhile(text, end, (from, to) => isIndentedOrBlank(text, from, to)) };
  const fence = openingFence(text, at, end);
  if (fence !== undefined) return yield* fencedBlock(text, at, end, fence);
  if (isHeading(text, at, end)) return { kind: "heading", start: at, end };
  if (isQuoteLine(text, at, end)) return { kind: "quote", start: at, end: yield* quoteEnd(text, at) };
  if (listMarker(text, at, end) !== undefined) return { kind: "list", start: at, end: yield* listEnd(text, at) };
  const html = htmlBlock(text, at, end, false);
  if (html !== undefined)
    return { kind: typeof html.endsAt === "string" ? "html" : "verbatim", start: at, end: yield* htmlBlockEnd(text, at, html) };
  const isTable = isTableHead(text, at, end);
  const from = isTable ? lineEndOf(text, end) : end;
  const kind = isTable ? "table" : "paragraph";
  return { kind, start: at, end: yield* paragraphEnd(text, from, kind) };
}

/** A fence that is not closed goes on to the end of the text. */
function* fencedBlock(text: string, start: number, contentStart: number, fence: Fence): Sliced<Block> {
  const contentEnd = yield* linesWhile(text, contentStart, (at, end) => !closesFence(text, at, end, fence));
  return { kind: "fence", start, end: lineEndOf(text, contentEnd), info: fence.info, contentStart, contentEnd };
}

/** Indented code goes on over blank lines. */
function isIndentedOrBlank(text: string, at: number, end: number): boolean {
  return indentOf(text, at, end).columns > 3 || isBlank(text, at, end);
}

function* quoteEnd(text: string, start: number): Sliced<number> {
  const inner = new InnerText(text);
  return yield* linesWhile(text, start, (at, end) => {
    if (!isQuoteLine(text, at, end)) return inner.goesOn(at, end);
    inner.take(at, end);
    return true;
  });
}

function* listEnd(text: string, start: number): Sliced<number> {
  const inner = new InnerText(text);
  let content = Number.POSITIVE_INFINITY;
  return yield* linesWhile(text, start, (at, end) => {
    const indent = indentOf(text, at, end);
    const marker = isThematicBreak(text, at, end) ? undefined : listMarker(text, at, end);
    if (isBlank(text, at, end)) inner.isParagraph = false;
    else if (indent.columns >= content) inner.take(indent.at, end);
    else if (marker === undefined) return inner.goesOn(at, end);
    else {
      content = marker.content;
      inner.begin(at, end);
    }
    return true;
  });
}

/** Follows the text inside a quote or list item, to know whether a line without its mark still belongs to a paragraph there. */
class InnerText {
  private readonly text: string;
  private fence: Fence | undefined;
  isParagraph = false;

  constructor(text: string) {
    this.text = text;
  }

  begin(at: number, end: number): void {
    this.fence = undefined;
    this.isParagraph = false;
    this.take(at, end);
  }

  take(at: number, end: number): void {
    const { text } = this;
    const from = behindMarks(text, at, end);
    if (this.fence !== undefined) {
      if (closesFence(text, from, end, this.fence)) this.fence = undefined;
      return;
    }
    this.fence = openingFence(text, from, end);
    const isText =
      this.fence === undefined &&
      !isBlank(text, from, end) &&
      !isHeading(text, from, end) &&
      !isThematicBreak(text, from, end) &&
      htmlBlock(text, from, end, this.isParagraph) === undefined;
    this.isParagraph = isText && (this.isParagraph || indentOf(text, from, end).columns <= 3);
  }

  /** True if a line that lacks the container's mark continues its paragraph. */
  goesOn(at: number, end: number): boolean {
    return this.isParagraph && !isBlank(this.text, at, end) && !interruptsParagraph(this.text, at, end);
  }
}

/** A longer line is not taken for a thematic break inside a container: it would be scanned once for each mark. */
const LONGEST_BREAK = 1000;
/** More marks on one line than this are not looked behind. */
const MOST_MARKS = 100;

/** The offset behind the quote marks and list markers of a line, each with the space that belongs to it. */
function behindMarks(text: string, at: number, end: number): number {
  let from = at;
  for (let count = 0; count < MOST_MARKS && from < end; count += 1) {
    const indent = indentOf(text, from, end);
    if (isQuoteLine(text, from, end)) from = indent.at + (text[indent.at + 1] === " " ? 2 : 1);
    else if (listMarker(text, from, end) !== undefined && (end - from > LONGEST_BREAK || !isThematicBreak(text, from, end))) {
      const head = text.slice(indent.at, Math.min(end, indent.at + 24));
      from = indent.at + (/^\S+[ \t]?/.exec(head)?.[0].length ?? 1);
    } else break;
  }
  return from;
}

/** True if a line after a paragraph's line begins another block. A blank line is not asked for here. */
export function interruptsParagraph(text: string, at: number, end: number): boolean {
  const indent = indentOf(text, at, end);
  if (indent.columns > 3 || !STARTS_BLOCK.test(text[indent.at] ?? "")) return false;
  return (
    openingFence(text, at, end) !== undefined ||
    isHeading(text, at, end) ||
    isThematicBreak(text, at, end) ||
    isQuoteLine(text, at, end) ||
    listMarker(text, at, end)?.interrupts === true ||
    htmlBlock(text, at, end, true) !== undefined
  );
}

const STARTS_BLOCK = /^[`~#*_>+<\d-]/;

/** A longer line begins no table: it would have to be split whole to count its cells. */
const LONGEST_ROW = 20_000;

/** True if a table begins at this line: a row, and under it as many delimiters. */
function isTableHead(text: string, at: number, end: number): boolean {
  const below = lineEndOf(text, end);
  if (end >= text.length || end - at > LONGEST_ROW || !isDelimiterRow(text, end, below)) return false;
  const row = text.slice(at, end);
  return row.includes("|") && countCells(row) === countCells(text.slice(end, below));
}

/** The offset behind a paragraph or table whose lines up to `from` are known. */
function* paragraphEnd(text: string, from: number, kind: "paragraph" | "table"): Sliced<number> {
  let isUnderlined = false;
  return yield* linesWhile(text, from, (at, end) => {
    if (isUnderlined || isBlank(text, at, end) || interruptsParagraph(text, at, end)) return false;
    if (kind === "table") return true;
    isUnderlined = isUnderline(text, at, end);
    return isUnderlined || !isTableHead(text, at, end);
  });
}
