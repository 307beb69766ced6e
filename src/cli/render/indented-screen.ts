import { stripVTControlCharacters } from "node:util";
import type { Screen } from "./screen.ts";

/** A screen that indents and wraps answers and notes and writes both to `out`. */
export function indentedScreen(screen: Screen, indent: string, width: number): Screen {
  let column = 0;
  let blank = "";
  const add = (token: string): string => {
    const length = stripVTControlCharacters(token).length;
    const isFirst = column === 0 || column + blank.length + length > width;
    const before = isFirst ? `${column === 0 ? "" : "\n"}${indent}` : blank;
    column = length + (isFirst ? 0 : column + blank.length);
    blank = "";
    return before + token;
  };
  const endLine = (): string => {
    column = 0;
    blank = "";
    return "\n";
  };
  const write = (text: string): void => {
    let output = "";
    for (const token of text.match(/\n|[^\S\n]+|\S+/g) ?? []) {
      if (token === "\n") output += endLine();
      else if (token.trim() === "") blank = token;
      else output += add(token);
    }
    screen.out(output);
  };
  return { out: write, note: write, isTerminal: true, outColors: screen.outColors, noteColors: screen.outColors };
}
