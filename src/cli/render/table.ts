import { toUnbrokenText } from "./terminal-text.ts";

/** The text of a cell, and its colour, which is applied after padding. */
export type Cell = { readonly text: string; readonly color?: (text: string) => string };

/** The lines of a table without trailing blanks; empty columns are omitted, and control characters are removed. */
export function tableLines(allRows: readonly (readonly Cell[])[]): readonly string[] {
  const cells = allRows.map((row) => row.map((cell) => ({ ...cell, text: toUnbrokenText(cell.text) })));
  const rows = cells.map((row) => row.filter((_, column) => cells.some((other) => other[column]?.text)));
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) => Math.max(0, ...rows.map((row) => row[column]?.text.length ?? 0)));
  return rows.map((row) => {
    const last = row.findLastIndex(({ text }) => text !== "");
    const shown = row.slice(0, last + 1).map(({ text, color = (same) => same }, column) => {
      const blanks = column === last ? 0 : (widths[column] ?? 0) - text.length;
      return `${color(text)}${" ".repeat(blanks)}`;
    });
    return shown.join("  ");
  });
}

/** Wraps text at word boundaries to this width; longer words stay whole. Control characters are removed. */
export function wrapWords(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of toUnbrokenText(text).split(" ")) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}
