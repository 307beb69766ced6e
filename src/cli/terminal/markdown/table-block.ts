import type { Colors } from "../screen.ts";
import { cutWidths, sumOf } from "../table.ts";
import { textWidth } from "../text-width.ts";
import { readInline } from "./inline.ts";
import { type Span, WordFlow, wrapSpans } from "./word-flow.ts";

const RULE_CELL = /^:?-+:?$/;
const NARROWEST = 6;

/**
 * The lines of a table: aligned columns, with long cells wrapped so that no line is wider than the page. If the columns would be too
 * narrow for that, each row becomes a list of `heading: value`. Rows without a line of dashes below the first are no table and stay
 * as they are.
 */
export function tableBlock(source: readonly string[], colors: Colors, width: number): readonly string[] {
  const [head = [], rule = [], ...body] = source.map(cellsOf);
  if (head.length === 0 || rule.length === 0 || !rule.every((cell) => RULE_CELL.test(cell))) return source;
  const rows = [head, ...body.map((cells) => withoutSurplus(cells, head.length))].map((cells) =>
    head.map((_, column) => readInline(cells[column] ?? "", colors, true).spans),
  );
  const natural = head.map((_, column) => greatest(rows.map((cells) => widthOf(cells[column] ?? []))));
  const room = width - 3 * (head.length - 1);
  const widths = cutWidths(natural, room, NARROWEST);
  if (sumOf(widths) > room) return asList(rows, colors, width);
  const sides = rule.map((cell) => (cell.endsWith(":") ? (cell.startsWith(":") ? "center" : "right") : "left"));
  const lines = rows.map((cells, index) => rowLines(cells, widths, sides, index === 0 ? colors.bold : (same) => same, colors));
  const divider = colors.dim(widths.map((each) => "─".repeat(each)).join("─┼─"));
  return [...(lines[0] ?? []), divider, ...lines.slice(1).flat()];
}

/** The cells of a row; a bar after a backslash or inside of code does not divide. */
function cellsOf(line: string): readonly string[] {
  const cells = [""];
  for (const part of line.trim().match(/\\[\s\S]|`[^`]*`|\||[^|`\\]+|[\s\S]/g) ?? []) {
    if (part === "|") cells.push("");
    else cells[cells.length - 1] += part === "\\|" ? "|" : part;
  }
  const inner = cells.slice(1, cells.at(-1)?.trim() === "" ? -1 : undefined);
  return inner.map((cell) => cell.trim());
}

function withoutSurplus(cells: readonly string[], columns: number): readonly string[] {
  return cells.length <= columns ? cells : [...cells.slice(0, columns - 1), cells.slice(columns - 1).join(" | ")];
}

function rowLines(
  cells: readonly (readonly Span[])[],
  widths: readonly number[],
  sides: readonly string[],
  style: (text: string) => string,
  { dim }: Colors,
): readonly string[] {
  const columns = cells.map((spans, column) => wrapSpans(spans, widths[column] ?? 1));
  const height = greatest(columns.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) => {
    const padded = columns.map((lines, column) => {
      const text = lines[line] ?? "";
      return pad(text === "" ? "" : style(text), widths[column] ?? 1, sides[column] ?? "left");
    });
    return padded.join(dim(" │ ")).trimEnd();
  });
}

function pad(text: string, width: number, side: string): string {
  const blanks = Math.max(0, width - textWidth(text));
  const before = side === "right" ? blanks : side === "center" ? Math.floor(blanks / 2) : 0;
  return `${" ".repeat(before)}${text}${" ".repeat(blanks - before)}`;
}

function asList(
  [head = [], ...body]: readonly (readonly (readonly Span[])[])[],
  colors: Colors,
  width: number,
): readonly string[] {
  return body.flatMap((cells, index) => [
    ...(index === 0 ? [] : [""]),
    ...cells.flatMap((spans, column) => {
      const name = (head[column] ?? []).map(({ text }) => text).join("");
      const flow = new WordFlow(width, { first: "", rest: "  " }, true);
      return flow.add([{ text: `${name}: `, style: colors.bold }, ...spans]).split("\n");
    }),
  ]);
}

function widthOf(spans: readonly Span[]): number {
  return spans.reduce((sum, { text }) => sum + textWidth(text), 0);
}

/** The greatest number, at least 1. A row may have more cells than a function may have arguments. */
function greatest(numbers: readonly number[]): number {
  return numbers.reduce((most, each) => Math.max(most, each), 1);
}
