import type { JsonValue } from "../../spec/json.ts";
import type { Colors } from "./screen.ts";
import { wrapWords } from "./table.ts";
import { toOneLine, toTerminalText } from "./terminal-text.ts";

/** A question for a person; if it is cut, the person has not seen the whole input. */
export type QuestionText = { readonly text: string; readonly isCut: boolean };

const LONGEST_FIELD = 4000;
const FEWEST_LINES = 8;
/** The lines of the terminal that are not for the input: the name, the note about a cut input (two if it is narrow), the choice. */
const OTHER_LINES = 5;
/** The beginning, the mark and the end of a field. */
const SHORTEST_CUT = 3;

/**
 * The question whether a tool may run. It fits the height of the terminal, so that the name of the tool is not scrolled away. A long
 * input is shown with both ends of its fields, because the end of a command matters as much as its beginning.
 */
export function questionText(
  name: string,
  input: JsonValue,
  { bold, yellow }: Colors,
  { width, height }: { readonly width: number; readonly height: number },
): QuestionText {
  const most = Math.max(FEWEST_LINES, height - OTHER_LINES);
  const fields = fieldsOf(input);
  // Each field has a line at least, so these fill the screen.
  const shown = fields.length > 2 * most ? [...fields.slice(0, most), ...fields.slice(-most)] : fields;
  const all = shown.map((field) => fieldLines(cutField(field), width));
  const isCut = shown.some((field) => field.length > LONGEST_FIELD) || all.flat().length > most;
  const lines = isCut ? [...fitLines(all, most), ...cutNote(input, yellow, width)] : all.flat();
  return { text: `${yellow("?")} May ${bold(toOneLine(name, 60))} run?\n${lines.map((line) => `${line}\n`).join("")}`, isCut };
}

function fieldsOf(input: JsonValue): readonly string[] {
  const isObject = typeof input === "object" && input !== null && !Array.isArray(input);
  return isObject ? Object.entries(input).map(([key, value]) => toTerminalText(`${key}: ${toShown(value)}`)) : [toShown(input)];
}

function toShown(value: JsonValue | undefined): string {
  return toTerminalText(typeof value === "string" && !/[\n\t]/.test(value) ? value : JSON.stringify(value ?? null));
}

function cutField(field: string): string {
  const half = LONGEST_FIELD / 2;
  return field.length <= LONGEST_FIELD ? field : `${field.slice(0, half)} … ${field.slice(-half)}`;
}

function fieldLines(field: string, width: number): readonly string[] {
  const [first = "", ...rest] = wrapWords(field, width - 4, true);
  return [`  ${first}`, ...rest.map((line) => `    ${line}`)];
}

/** Cuts the longest fields until all fit; where even the shortest cut is too long, fields are left out in the middle. */
function fitLines(fields: readonly (readonly string[])[], most: number): readonly string[] {
  let each = most;
  const cut = (): readonly string[] => fields.flatMap((lines) => bothEnds(lines, each));
  while (each > SHORTEST_CUT && cut().length > most) each -= 1;
  return bothEnds(cut(), most);
}

function bothEnds(lines: readonly string[], most: number): readonly string[] {
  if (lines.length <= most) return lines;
  const last = Math.floor((most - 1) / 2);
  return [...lines.slice(0, most - 1 - last), "    …", ...lines.slice(lines.length - last)];
}

function cutNote(input: JsonValue, color: (text: string) => string, width: number): readonly string[] {
  const count = JSON.stringify(input).length.toLocaleString("en");
  return wrapWords(`This is not the whole input: … stands for the rest. It has ${count} characters.`, width - 2).map(
    (line) => `  ${color(line)}`,
  );
}
