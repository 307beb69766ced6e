import type { Page } from "./screen.ts";
import { toUnbrokenText } from "./terminal-text.ts";
import { breakAtWidth, cutToWidth, textWidth } from "./text-width.ts";

/** The text of a cell, and its colour, which is applied after padding. */
export type Cell = { readonly text: string; readonly color?: (text: string) => string };

/** A page without an edge: tables are as wide as their cells. */
export const ENDLESS: Page = { width: 80, isStrict: false };

const GAP = 2;
const NARROWEST = 4;

/**
 * The lines of a table without trailing blanks; empty columns are omitted, and control characters are removed. On a strict page the
 * columns with the numbers in `spare` are omitted one after the other until the table fits; then the widest columns are cut.
 */
export function tableLines(
  allRows: readonly (readonly Cell[])[],
  page: Page = ENDLESS,
  spare: readonly number[] = [],
): readonly string[] {
  const cells = allRows.map((row) => row.map((cell) => ({ ...cell, text: toUnbrokenText(cell.text) })));
  const filled = columnsOf(cells).filter((column) => cells.some((row) => row[column]?.text));
  const shown = page.isStrict ? withoutSpare(cells, filled, page.width, spare) : filled;
  const rows = cells.map((row) => shown.map((column) => row[column] ?? { text: "" }));
  const natural = widthsOf(cells, shown);
  const widths = page.isStrict ? cutWidths(natural, page.width) : natural;
  return rows.map((row) => rowLine(row, widths));
}

function rowLine(row: readonly Cell[], widths: readonly number[]): string {
  const last = row.findLastIndex(({ text }) => text !== "");
  const shown = row.slice(0, last + 1).map(({ text, color = (same) => same }, column) => {
    const cut = cutToWidth(text, widths[column] ?? 0);
    const blanks = column === last ? 0 : (widths[column] ?? 0) - textWidth(cut);
    return `${color(cut)}${" ".repeat(blanks)}`;
  });
  return shown.join(" ".repeat(GAP));
}

function columnsOf(rows: readonly (readonly Cell[])[]): readonly number[] {
  return Array.from({ length: Math.max(0, ...rows.map((row) => row.length)) }, (_, column) => column);
}

function widthsOf(rows: readonly (readonly Cell[])[], columns: readonly number[]): readonly number[] {
  return columns.map((column) => Math.max(0, ...rows.map((row) => textWidth(row[column]?.text ?? ""))));
}

function totalOf(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, GAP * Math.max(0, widths.length - 1));
}

function withoutSpare(
  rows: readonly (readonly Cell[])[],
  filled: readonly number[],
  width: number,
  spare: readonly number[],
): readonly number[] {
  let shown = filled;
  for (const column of spare) {
    if (totalOf(widthsOf(rows, shown)) <= width) break;
    shown = shown.filter((other) => other !== column);
  }
  return shown;
}

function cutWidths(natural: readonly number[], width: number): readonly number[] {
  let most = Math.max(0, ...natural);
  const cut = (): readonly number[] => natural.map((each) => Math.min(each, most));
  while (most > NARROWEST && totalOf(cut()) > width) most -= 1;
  return cut();
}

/** Wraps text at word boundaries to this width. Longer words stay whole unless `breaksWords` is set. Control characters are removed. */
export function wrapWords(text: string, width: number, breaksWords = false): readonly string[] {
  const lines: string[] = [];
  const words = toUnbrokenText(text).split(" ");
  for (const word of words) {
    const [first = "", ...rest] = breaksWords && textWidth(word) > width ? breakAtWidth(word, width) : [word];
    const line = lines.at(-1);
    if (line === undefined || textWidth(line) + 1 + textWidth(first) > width) lines.push(first);
    else lines[lines.length - 1] = `${line} ${first}`;
    lines.push(...rest);
  }
  return lines;
}

/** Quoted texts, a comment, words and redirections; a line of a command is broken only between them. */
const COMMAND_WORDS = /#.*|(?:[<>]+ )?(?:"[^"]*"|'[^']*'|[^\s"'])+|["']/g;

/** A command to copy, in lines of at most this width: each but the last ends with a backslash, which continues it in a shell. */
export function commandLines(command: string, width: number): readonly string[] {
  if (textWidth(command) <= width) return [command];
  const lines: string[] = [];
  for (const word of command.match(COMMAND_WORDS) ?? []) {
    const line = lines.at(-1);
    if (line === undefined) lines.push(word);
    else if (textWidth(line) + 1 + textWidth(word) + 2 > width) lines.push(`  ${word}`);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines.map((line, index) => (index === lines.length - 1 ? line : `${line} \\`));
}
