import { wrapWords } from "../terminal/table.ts";

/** An entry of a list: its name, and its meaning in a column beside it. */
type Entry = readonly [name: string, meaning: string];

const GAP = 2;

/** A line of the chat, wrapped at words to this width. */
export function lineOfChat(text: string, width: number): string {
  return wrapWords(text, width).join("\n");
}

/** A list of the chat, with the meanings in one column. */
export function listOfChat(entries: readonly Entry[], width: number): string {
  const column = Math.max(...entries.map(([name]) => name.length)) + GAP;
  const lines = entries.flatMap(([name, meaning]) =>
    wrapWords(meaning, width - column).map((line, index) => (index === 0 ? name : "").padEnd(column) + line),
  );
  return lines.join("\n");
}
