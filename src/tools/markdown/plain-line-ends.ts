import { SLICE, type Sliced } from "../slices.ts";

/** The text with "\n" for every line end; its length, and so every offset, stays the same. */
export function* withPlainLineEnds(text: string): Sliced<string> {
  if (!text.includes("\r")) return text;
  const parts: string[] = [];
  for (let at = 0; at < text.length; ) {
    // A part does not end between the two characters of a line end.
    const end = text[at + SLICE - 1] === "\r" ? at + SLICE + 1 : at + SLICE;
    parts.push(
      text
        .slice(at, end)
        .replace(/\r(?=\n)/g, " ")
        .replace(/\r/g, "\n"),
    );
    at = end;
    yield;
  }
  return parts.join("");
}
