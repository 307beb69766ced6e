import picocolors from "picocolors";
import { toJsonText } from "./terminal-text.ts";
import { textWidth } from "./text-width.ts";

export type Colors = ReturnType<typeof picocolors.createColors>;

/** Colours for a stream: only on a terminal that can show them, and never when NO_COLOR is set. */
export function colorsFor(stream: NodeJS.WriteStream): Colors {
  return picocolors.createColors(canMoveCursor(stream) && !process.env["NO_COLOR"]);
}

/** True if a stream is a terminal that understands more than plain text. */
export function canMoveCursor(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY === true && process.env["TERM"] !== "dumb";
}

/** Where a command writes: answers to `out`, everything else to `note`. */
export type Screen = {
  out(text: string): void;
  note(text: string): void;
  /** True when answers are printed to a terminal, where notes may appear between them. */
  readonly isTerminal: boolean;
  /** The width in which answers are shown as Markdown; absent where their text is printed as it is. */
  readonly markdownWidth?: () => number;
  /** The width in which notes are wrapped at words; absent where they are not printed to a terminal. */
  readonly noteWidth?: () => number;
  readonly outColors: Colors;
  readonly noteColors: Colors;
};

/** The screen of this process: stdout for answers, stderr for the rest. With `raw` a terminal gets the text as it is. */
export function processScreen({ raw = false }: { readonly raw?: boolean } = {}): Screen {
  return {
    out: (text) => void process.stdout.write(text),
    note: (text) => void process.stderr.write(text),
    isTerminal: process.stdout.isTTY === true,
    ...(canMoveCursor(process.stdout) && !raw && { markdownWidth: pageWidth }),
    ...(process.stderr.isTTY === true && { noteWidth: () => Math.min(knownWidth(process.stderr) ?? 80, WIDEST) }),
    outColors: colorsFor(process.stdout),
    noteColors: colorsFor(process.stderr),
  };
}

export function printJson({ out }: Pick<Screen, "out">, value: unknown, indent?: number): void {
  out(`${toJsonText(value, indent)}\n`);
}

const WIDEST = 100;
const NARROWEST = 20;

/** The width in which text is wrapped: that of the terminal or of COLUMNS, up to a limit; 80 if there is neither. */
export function pageWidth(): number {
  return Math.min(knownWidth() ?? 80, WIDEST);
}

/** The number of lines that a person sees at once; 24 if it is unknown. */
export function pageHeight(): number {
  return process.stderr.rows || 24;
}

/** A page on which tables and advice are printed. */
export type Page = {
  readonly width: number;
  /** True where no line may be wider: on a terminal. Elsewhere tables keep all columns, and long words stay whole. */
  readonly isStrict: boolean;
};

export function textPage(): Page {
  return { width: pageWidth(), isStrict: knownWidth() !== undefined };
}

/** The page for tables; they may be as wide as the terminal. */
export function tablePage(): Page {
  return { width: knownWidth() ?? 80, isStrict: knownWidth() !== undefined };
}

function knownWidth(stream: NodeJS.WriteStream = process.stdout): number | undefined {
  const columns = stream.columns || Number(process.env["COLUMNS"]);
  return Number.isInteger(columns) && columns > 0 ? Math.max(columns, NARROWEST) : undefined;
}

/** A screen that indents and wraps answers and notes and writes both to `out`. */
export function indentedScreen(screen: Screen, indent: string, width: number): Screen {
  let column = 0;
  let blank = "";
  const add = (token: string): string => {
    const length = textWidth(token);
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
