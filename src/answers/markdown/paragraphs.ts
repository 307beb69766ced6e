import type { Sliced } from "../slices.ts";
import { htmlBlock } from "./html.ts";
import {
  countCells,
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

/** The first character of each line that can begin another block. */
const STARTS_BLOCK = /^[`~#*_>+<\d-]/;

/** A longer line begins no table: it would have to be split whole to count its cells. */
const LONGEST_ROW = 20_000;

/** True if a table begins at this line: a row, and under it as many delimiters. */
export function isTableHead(text: string, at: number, end: number): boolean {
  const below = lineEndOf(text, end);
  if (end >= text.length || end - at > LONGEST_ROW || !isDelimiterRow(text, end, below)) return false;
  const row = text.slice(at, end);
  return row.includes("|") && countCells(row) === countCells(text.slice(end, below));
}

/** The offset behind a paragraph or table whose lines up to `from` are known. */
export function* paragraphEnd(text: string, from: number, kind: "paragraph" | "table"): Sliced<number> {
  let isUnderlined = false;
  return yield* linesWhile(text, from, (at, end) => {
    if (isUnderlined || isBlank(text, at, end) || interruptsParagraph(text, at, end)) return false;
    if (kind === "table") return true;
    isUnderlined = isUnderline(text, at, end);
    return isUnderlined || !isTableHead(text, at, end);
  });
}
