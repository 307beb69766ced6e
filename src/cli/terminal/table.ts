import type { Page } from "./screen.ts";
import { toUnbrokenText } from "./terminal-text.ts";
import { breakAtWidth, cutToWidth, textWidth } from "./text-width.ts";

type Color = (text: string) => string;

/** A cell: its text, and its colour, which is applied after padding. */
export type Cell = string | { readonly text: string; readonly color?: Color };
type Painted = { readonly text: string; readonly color: Color };

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
  const cells = allRows.map((row) => row.map(toPainted));
  const filled = columnsOf(cells).filter((column) => cells.some((row) => row[column]?.text));
  const shown = page.isStrict ? withoutSpare(cells, filled, page.width, spare) : filled;
  const rows = cells.map((row) => shown.map((column) => row[column] ?? toPainted("")));
  const natural = widthsOf(cells, shown);
  const widths = page.isStrict ? cutWidths(natural, page.width - gapsOf(natural), NARROWEST) : natural;
  return rows.map((row) => rowLine(row, widths));
}

/** The cells of a heading; with `rows`, columns that are empty in all of them have none. */
export function headings(texts: readonly string[], color: Color, rows?: readonly (readonly Cell[])[]): readonly Cell[] {
  const isEmpty = (column: number): boolean => rows?.every((row) => row[column] === "") === true;
  return texts.map((text, column) => ({ text: isEmpty(column) ? "" : text, color }));
}

function toPainted(cell: Cell): Painted {
  const { text, color = (same: string): string => same } = typeof cell === "string" ? { text: cell } : cell;
  return { text: toUnbrokenText(text), color };
}

function rowLine(row: readonly Painted[], widths: readonly number[]): string {
  const last = row.findLastIndex(({ text }) => text !== "");
  const shown = row.slice(0, last + 1).map(({ text, color }, column) => {
    const cut = cutToWidth(text, widths[column] ?? 0);
    const blanks = column === last ? 0 : (widths[column] ?? 0) - textWidth(cut);
    return `${color(cut)}${" ".repeat(blanks)}`;
  });
  return shown.join(" ".repeat(GAP));
}

function columnsOf(rows: readonly (readonly Painted[])[]): readonly number[] {
  return Array.from({ length: Math.max(0, ...rows.map((row) => row.length)) }, (_, column) => column);
}

function widthsOf(rows: readonly (readonly Painted[])[], columns: readonly number[]): readonly number[] {
  return columns.map((column) => Math.max(0, ...rows.map((row) => textWidth(row[column]?.text ?? ""))));
}

function gapsOf(columns: readonly unknown[]): number {
  return GAP * Math.max(0, columns.length - 1);
}

export function sumOf(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0);
}

function withoutSpare(
  rows: readonly (readonly Painted[])[],
  filled: readonly number[],
  width: number,
  spare: readonly number[],
): readonly number[] {
  let shown = filled;
  for (const column of spare) {
    if (sumOf(widthsOf(rows, shown)) + gapsOf(shown) <= width) break;
    shown = shown.filter((other) => other !== column);
  }
  return shown;
}

/** The widest columns give way until all fit into the room or are as narrow as may be. */
export function cutWidths(natural: readonly number[], room: number, narrowest: number): readonly number[] {
  let most = natural.reduce((greatest, width) => Math.max(greatest, width), 0);
  const cut = (): readonly number[] => natural.map((each) => Math.min(each, most));
  while (most > narrowest && sumOf(cut()) > room) most -= 1;
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

/** The lines with a mark before the first, and blanks before the others. */
export function hang(mark: string, lines: readonly string[], blanks: number = mark.length): readonly string[] {
  return lines.map((line, index) => `${index === 0 ? mark : " ".repeat(blanks)}${line}`);
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
