import { type Colors, colorsFor } from "./colors.ts";

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
