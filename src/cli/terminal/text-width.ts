import { createRequire } from "node:module";

/** The number of terminal columns that a text occupies: East Asian characters and emoji take two, colour codes and marks none. */
export function textWidth(text: string): number {
  return isPlain(text) ? text.length : measure(text);
}

export function cutToWidth(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  return `${firstColumns(text, width - 1)}…`;
}

/** The text in pieces of at most this many columns; a character is never divided. */
export function breakAtWidth(text: string, width: number): readonly string[] {
  const pieces: string[] = [];
  for (let rest = text; rest !== ""; ) {
    const piece = firstColumns(rest, Math.max(width, 2));
    pieces.push(piece);
    rest = rest.slice(piece.length);
  }
  return pieces;
}

function firstColumns(text: string, width: number): string {
  if (isPlain(text)) return text.slice(0, width);
  let [end, columns] = [0, 0];
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    columns += measure(segment);
    if (columns > width) break;
    end += segment.length;
  }
  return text.slice(0, end);
}

/** Printable ASCII is most of what is measured, and it needs no table. */
function isPlain(text: string): boolean {
  return /^[ -~]*$/.test(text);
}

const require = createRequire(import.meta.url);
let stringWidth: ((text: string) => number) | undefined;

/** The library is loaded for the first text that needs it: it takes 27 ms of each start, and most texts are plain. */
function measure(text: string): number {
  if (stringWidth === undefined) {
    const loaded: { readonly default: (text: string) => number } = require("string-width");
    stringWidth = loaded.default;
  }
  return stringWidth(text);
}
