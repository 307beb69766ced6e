import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A row of a table in a document, with the heading above it. */
export type TableRow = { readonly heading: string; readonly cells: readonly string[] };

/** The rows of all tables of a document, without the heads of the tables. */
export function readTables(path: string): readonly TableRow[] {
  const lines = readFileSync(join(import.meta.dirname, "../../..", path), "utf8").split("\n");
  let heading = "";
  return lines.flatMap((line, index) => {
    if (line.startsWith("#")) heading = line.replace(/^#+ /, "");
    const isRow = line.startsWith("|") && !/^\|[-| ]+\|$/.test(line) && !/^\|[-| ]+\|$/.test(lines[index + 1] ?? "");
    return isRow ? [{ heading, cells: toCells(line) }] : [];
  });
}

function toCells(line: string): readonly string[] {
  return line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));
}
