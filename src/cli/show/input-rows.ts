import { isJsonObject, type JsonObject, type JsonValue } from "../../spec/json.ts";

/** A line of an input as a person reads it, with the mark that stands before it. */
export type InputRow = { readonly mark: "" | "│ " | "+ " | "- "; readonly text: string };

const PAIRS: readonly (readonly [before: string, after: string])[] = [
  ["old_string", "new_string"],
  ["oldText", "newText"],
  ["old_str", "new_str"],
];
const PATHS = ["file_path", "path", "absolute_path"];
/** Unchanged lines that are shown beside a change. */
const CONTEXT = 2;
const DEEPEST = 4;

/** The fields of an input, each as its lines: texts as lines, a change of a text as a diff. */
export function inputRows(input: JsonValue, depth = 0): readonly (readonly InputRow[])[] {
  if (!isJsonObject(input)) return [valueRows("", input, depth)];
  const pair = PAIRS.find(([before, after]) => isTextOrNothing(input[before]) && typeof input[after] === "string");
  const rest = Object.entries(input).filter(([key]) => !pair?.includes(key));
  const fields = rest.map(([key, value]) => (isNewFile(input, key) ? addedRows(key, value) : valueRows(key, value, depth)));
  return pair === undefined ? fields : [...fields, diffRows(textOf(input[pair[0]]), textOf(input[pair[1]]))];
}

function isTextOrNothing(value: JsonValue | undefined): boolean {
  return value === null || typeof value === "string";
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

function isNewFile(input: JsonObject, key: string): boolean {
  const isAdded = key === "content" || (key === "diff" && input["kind"] === "add");
  return isAdded && typeof input[key] === "string" && PATHS.some((path) => path in input);
}

function addedRows(key: string, value: JsonValue): readonly InputRow[] {
  return [{ mark: "", text: `${key}:` }, ...linesOf(textOf(value)).map((text) => ({ mark: "+ ", text }) as const)];
}

function valueRows(key: string, value: JsonValue, depth: number): readonly InputRow[] {
  const label = key === "" ? "" : `${key}: `;
  if (typeof value === "string" && value.includes("\n"))
    return [
      ...(label === "" ? [] : [{ mark: "", text: label.trimEnd() } as const]),
      ...linesOf(value).map((text) => ({ mark: "│ ", text }) as const),
    ];
  if (Array.isArray(value) && value.length > 0 && value.every(isJsonObject) && depth < DEEPEST)
    return value.flatMap((entry, index) => [
      { mark: "", text: `${key} ${index + 1} of ${value.length}:` } as const,
      ...inputRows(entry, depth + 1).flat(),
    ]);
  if (isJsonObject(value) && Object.keys(value).length > 0 && depth < DEEPEST)
    return [{ mark: "", text: label.trimEnd() }, ...inputRows(value, depth + 1).flat()];
  return [{ mark: "", text: `${label}${typeof value === "string" ? value : JSON.stringify(value)}` }];
}

/** The lines of a text; a newline at its end begins no other. */
function linesOf(text: string): readonly string[] {
  return text.replace(/\n$/, "").split("\n");
}

/** A change of the newline at the end, which no line shows; an empty text has none to lose. */
function endRows(before: string, after: string): readonly InputRow[] {
  if (before === "" || after === "" || before.endsWith("\n") === after.endsWith("\n")) return [];
  return [{ mark: "", text: after.endsWith("\n") ? "The last line gets a newline." : "The last line loses its newline." }];
}

function diffRows(before: string, after: string): readonly InputRow[] {
  const [old, now] = [before === "" ? [] : linesOf(before), after === "" ? [] : linesOf(after)];
  let [head, tail] = [0, 0];
  const shortest = Math.min(old.length, now.length);
  while (head < shortest && old[head] === now[head]) head += 1;
  while (tail < shortest - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail += 1;
  const rows = (mark: InputRow["mark"], lines: readonly string[]): readonly InputRow[] => lines.map((text) => ({ mark, text }));
  return [
    { mark: "", text: head === 0 ? "change:" : `change at line ${head + 1}:` },
    ...rows("│ ", old.slice(Math.max(0, head - CONTEXT), head)),
    ...rows("- ", old.slice(head, old.length - tail)),
    ...rows("+ ", now.slice(head, now.length - tail)),
    ...rows("│ ", old.slice(old.length - tail, old.length - tail + CONTEXT)),
    ...endRows(before, after),
  ];
}
