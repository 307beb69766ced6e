import type { JsonValue } from "../../spec/json.ts";
import type { Colors } from "./screen.ts";
import { wrapWords } from "./table.ts";
import { toOneLine, toTerminalText } from "./terminal-text.ts";

const LONGEST_INPUT = 4000;

/** The question whether a tool may run. The whole input is shown, because the end of a command matters as much as its beginning. */
export function questionLines(name: string, input: JsonValue, { bold, yellow }: Colors, width: number): string {
  const entries =
    typeof input === "object" && input !== null && !Array.isArray(input) ? Object.entries(input) : [["", input] as const];
  const lines = entries.flatMap(([key, value]) => {
    const [first = "", ...rest] = wrapWords(`${key === "" ? "" : `${key}: `}${toShown(value)}`, width - 4, true);
    return [`  ${first}`, ...rest.map((line) => `    ${line}`)];
  });
  return `${yellow("?")} May ${bold(toOneLine(name, 60))} run?\n${lines.map((line) => `${line}\n`).join("")}`;
}

function toShown(value: JsonValue | undefined): string {
  const text = toTerminalText(typeof value === "string" && !/[\n\t]/.test(value) ? value : JSON.stringify(value ?? null));
  if (text.length <= LONGEST_INPUT) return text;
  return `${text.slice(0, LONGEST_INPUT)} … and ${text.length - LONGEST_INPUT} more characters that are not shown`;
}
