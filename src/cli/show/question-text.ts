import type { JsonValue } from "../../spec/json.ts";
import { toVisibleLine, toVisibleText } from "../../spec/text.ts";
import type { PermissionRequest } from "../../spec/wire/events.ts";
import type { Colors } from "../terminal/screen.ts";
import { wrapWords } from "../terminal/table.ts";
import { breakAtWidth, cutToWidth } from "../terminal/text-width.ts";
import { type InputRow, inputRows } from "./input-rows.ts";

/** A question for a person; if it is cut, the person has not seen the whole input. */
export type QuestionText = { readonly text: string; readonly isCut: boolean };

type Page = { readonly width: number; readonly height: number };
type Asked = Pick<PermissionRequest, "name" | "input" | "isDescription">;

const FEWEST_LINES = 8;
/** The lines of the terminal that are not for the input: the name, notes (two lines each if it is narrow), the choice. */
const OTHER_LINES = 7;
/** The beginning, the mark and the end of a field. */
const SHORTEST_CUT = 3;
/** A line is broken in pieces of this length, because the time to break one grows with its square. */
const PIECE = 2000;
/** The end of a long line matters as much as its beginning. */
const LONGEST_LINE = 4000;

const UNTOLD = "The CLI did not tell what this call does.";
const EMPTY = "The call has no input.";
const DESCRIBED = "The CLI did not tell the input of this call, only this description.";

/** The question whether a tool may run. It fits the height of the terminal; the first and last lines of long fields are shown. */
export function questionText(asked: Asked, colors: Colors, { width, height }: Page): QuestionText {
  const most = Math.max(FEWEST_LINES, height - OTHER_LINES);
  const fields = shownFields(asked);
  // Each field has a line at least, so these fill the screen.
  const ends = fields.length > 2 * most ? [...fields.slice(0, most), ...fields.slice(-most)] : fields;
  const all = ends.map((rows) => shortRows(rows, most).flatMap((row) => rowLines(row, width)));
  const isCut = ends !== fields || ends.some((rows) => rows.length > 2 * most || rows.some(isLong)) || all.flat().length > most;
  const lines = isCut ? fitLines(all, most) : all.flat();
  const notes = [...noteOf(asked), ...(isCut ? [cutNote(asked.input)] : [])];
  return { text: headLine(asked, colors) + toText(lines, colors) + toNotes(notes, colors, width), isCut };
}

export function wholeText(asked: Asked, colors: Colors, width: number): string {
  const lines = shownFields(asked).flatMap((rows) => rows.flatMap((row) => rowLines(row, width)));
  return toText(lines, colors) + headLine(asked, colors) + toNotes(noteOf(asked), colors, width);
}

function shownFields({ input, isDescription }: Asked): readonly (readonly InputRow[])[] {
  return input === null && isDescription === true ? [] : inputRows(input);
}

function headLine({ name }: Asked, { bold, yellow }: Colors): string {
  return `${yellow("?")} May ${bold(cutToWidth(toVisibleText(name), 60))} run?\n`;
}

function noteOf({ input, isDescription }: Asked): readonly string[] {
  if (isDescription !== true) return JSON.stringify(input) === "{}" ? [EMPTY] : [];
  return [input === null ? UNTOLD : DESCRIBED];
}

function cutNote(input: JsonValue): string {
  const characters = JSON.stringify(input).length.toLocaleString("en");
  const lines = inputRows(input).flat().length.toLocaleString("en");
  return `This is not the whole input: … stands for the rest. It has ${lines} lines and ${characters} characters.`;
}

function toNotes(notes: readonly string[], { yellow }: Colors, width: number): string {
  return notes.flatMap((note) => wrapWords(note, width - 2).map((line) => `  ${yellow(line)}\n`)).join("");
}

function toText(lines: readonly string[], { green, red }: Colors): string {
  const color = (line: string): string => (line.startsWith("  + ") ? green(line) : line.startsWith("  - ") ? red(line) : line);
  return lines.map((line) => `${color(line)}\n`).join("");
}

function isLong({ text }: InputRow): boolean {
  return text.length > LONGEST_LINE;
}

/** The rows that can be on the screen, each with both ends. */
function shortRows(rows: readonly InputRow[], most: number): readonly InputRow[] {
  const ends = rows.length > 2 * most ? [...rows.slice(0, most), ...rows.slice(-most)] : rows;
  const half = LONGEST_LINE / 2;
  return ends.map((row) => (isLong(row) ? { ...row, text: `${row.text.slice(0, half)} … ${row.text.slice(-half)}` } : row));
}

/** The lines of a row on the screen. A line that goes on begins with another mark than a new one. */
function rowLines({ mark, text }: InputRow, width: number): readonly string[] {
  const line = mark === "" ? toVisibleText(text) : toVisibleLine(text);
  const room = width - 2 - 2;
  const pieces: string[] = [];
  for (let at = 0; at < line.length; at += PIECE)
    pieces.push(...breakAtWidth((pieces.pop() ?? "") + line.slice(at, at + PIECE), room));
  const next = mark === "" ? "  " : "┊ ";
  return [`  ${mark}${pieces[0] ?? ""}`, ...pieces.slice(1).map((piece) => `  ${next}${piece}`)];
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
