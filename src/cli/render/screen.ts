import { stripVTControlCharacters } from "node:util";
import picocolors from "picocolors";

/** Functions that colour a text, or return it unchanged when colours are off. */
export type Colors = ReturnType<typeof picocolors.createColors>;

/** Colours for a stream: only on a terminal that can show them, and never when NO_COLOR is set. */
export function colorsFor(stream: NodeJS.WriteStream): Colors {
  const isForbidden = Boolean(process.env["NO_COLOR"]) || process.env["TERM"] === "dumb";
  return picocolors.createColors(stream.isTTY === true && !isForbidden);
}

/** Where a command writes: answers to `out`, everything else to `note`. */
export type Screen = {
  out(text: string): void;
  note(text: string): void;
  /** True when answers are printed to a terminal, where notes may appear between them. */
  readonly isTerminal: boolean;
  readonly outColors: Colors;
  readonly noteColors: Colors;
};

/** The screen of this process: stdout for answers, stderr for the rest. */
export function processScreen(): Screen {
  return {
    out: (text) => void process.stdout.write(text),
    note: (text) => void process.stderr.write(text),
    isTerminal: process.stdout.isTTY === true,
    outColors: colorsFor(process.stdout),
    noteColors: colorsFor(process.stderr),
  };
}

const WIDEST = 100;

/** The width in which tables and advice are printed: that of the terminal, up to a limit. */
export function pageWidth(): number {
  return Math.min(process.stdout.columns || 80, WIDEST);
}

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
