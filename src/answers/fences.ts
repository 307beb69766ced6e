import { SLICE, type Sliced } from "./slices.ts";

/** A fenced code block, as offsets in its text. */
export type Fence = {
  readonly info: string;
  readonly contentStart: number;
  readonly contentEnd: number;
  /** Behind the closing line, or the end of the text. */
  readonly end: number;
};

const MARKS = /`{3,}|~{3,}/y;
const CLOSING_LINE = /([ \t]*)(`{3,}|~{3,})[ \t]*(?:\n|$)/y;

/** The fence that opens at `at`, behind the beginning of its line. Its closing line may be indented by three columns more. */
export function* readFence(text: string, at: number, indent: string): Sliced<Fence | undefined> {
  MARKS.lastIndex = at;
  const marks = MARKS.exec(text)?.[0];
  if (marks === undefined) return undefined;
  const contentStart = lineEndOf(text, at);
  const info = text.slice(at + marks.length, contentStart).trim();
  if (marks.startsWith("`") && info.includes("`")) return undefined;
  let contentEnd = contentStart;
  for (let pausedAt = contentStart; contentEnd < text.length; contentEnd = lineEndOf(text, contentEnd)) {
    CLOSING_LINE.lastIndex = contentEnd;
    const [line = "", space = "", closing = ""] = CLOSING_LINE.exec(text) ?? [];
    if (closing.startsWith(marks) && columnsOf(space) <= columnsOf(indent) + 3)
      return { info, contentStart, contentEnd, end: contentEnd + line.length };
    if (contentEnd - pausedAt < SLICE) continue;
    pausedAt = contentEnd;
    yield;
  }
  return { info, contentStart, contentEnd, end: contentEnd };
}

/** The first fence behind at most three spaces of a line, at `from` or later; `from` is the beginning of a line. */
export function* nextFence(text: string, from: number): Sliced<(Fence & { readonly start: number }) | undefined> {
  const opening = /(?:^|\n)( {0,3})(?:```|~~~)/g;
  opening.lastIndex = Math.max(0, from - 1);
  for (let match = opening.exec(text); match !== null; match = opening.exec(text)) {
    const [, indent = ""] = match;
    const at = opening.lastIndex - 3;
    const fence = yield* readFence(text, at, indent);
    if (fence !== undefined) return { ...fence, start: at - indent.length };
    yield;
  }
  return undefined;
}

function columnsOf(indent: string): number {
  return indent.replaceAll("\t", "    ").length;
}

function lineEndOf(text: string, at: number): number {
  const index = text.indexOf("\n", at);
  return index === -1 ? text.length : index + 1;
}

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
