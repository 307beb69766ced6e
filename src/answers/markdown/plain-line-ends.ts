import { SLICE, type Sliced } from "../slices.ts";

const CARRIAGE_RETURN = 13;
const NEWLINE = 10;
const SPACE = 32;

/** The text with "\n" for every line end; its length, and so every offset, stays the same. */
export function* withPlainLineEnds(text: string): Sliced<string> {
  if (!text.includes("\r")) return text;
  const parts: string[] = [];
  for (let at = 0; at < text.length; at += SLICE) {
    parts.push(replaceReturns(text.slice(at, at + SLICE), text[at + SLICE] === "\n"));
    yield;
  }
  return parts.join("");
}

/** Replaces characters in a buffer: `replace` on strings makes garbage that takes longer to collect than the text to read. */
function replaceReturns(part: string, isNewlineNext: boolean): string {
  const bytes = Buffer.from(part, "utf16le");
  const units = new Uint16Array(bytes.buffer, bytes.byteOffset, part.length);
  for (let index = units.indexOf(CARRIAGE_RETURN); index !== -1; index = units.indexOf(CARRIAGE_RETURN, index + 1)) {
    const isPair = index + 1 < units.length ? units[index + 1] === NEWLINE : isNewlineNext;
    units[index] = isPair ? SPACE : NEWLINE;
  }
  return bytes.toString("utf16le");
}
