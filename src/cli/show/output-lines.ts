import type { JsonValue } from "../../spec/json.ts";
import { toVisibleLine } from "../../spec/text.ts";
import { outputText } from "./call-text.ts";

const MOST_LINES = 200;
const LONGEST_LINE = 1000;

/** The output of a tool for people: its first and last lines, in which nothing is hidden. */
export function outputLines(output: JsonValue): readonly string[] {
  const lines = outputText(output).trimEnd().split(/\r?\n/);
  if (lines.join("") === "") return [];
  const left = lines.length - MOST_LINES;
  const half = MOST_LINES / 2;
  const shown =
    left <= 0 ? lines : [...lines.slice(0, half), `… ${left.toLocaleString("en")} more lines …`, ...lines.slice(-half)];
  return shown.map((line) => toVisibleLine(line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line).trimEnd());
}
