import { SLICE, type Sliced } from "../slices.ts";

export type Fence = { readonly character: string; readonly length: number; readonly info: string };

export function lineEndOf(text: string, at: number): number {
  const index = text.indexOf("\n", at);
  return index === -1 ? text.length : index + 1;
}

/** The offset of the first line at `from` or later that is not accepted, or the end of the text. */
export function* linesWhile(text: string, from: number, accepts: (at: number, end: number) => boolean): Sliced<number> {
  let pausedAt = from;
  for (let at = from; at < text.length; ) {
    const end = lineEndOf(text, at);
    if (!accepts(at, end)) return at;
    at = end;
    if (at - pausedAt < SLICE) continue;
    pausedAt = at;
    yield;
  }
  return text.length;
}

/** The columns of white space at the beginning of a line, and the offset behind it; a tab reaches to the next multiple of four. */
export function indentOf(text: string, at: number, end: number): { readonly columns: number; readonly at: number } {
  let columns = 0;
  let index = at;
  for (; index < end; index += 1) {
    if (text[index] === " ") columns += 1;
    else if (text[index] === "\t") columns += 4 - (columns % 4);
    else break;
  }
  return { columns, at: index };
}

export function isBlank(text: string, at: number, end: number): boolean {
  const index = indentOf(text, at, end).at;
  return index >= end || text[index] === "\n";
}

export function openingFence(text: string, at: number, end: number): Fence | undefined {
  const indent = indentOf(text, at, end);
  const character = text[indent.at] ?? "";
  if (indent.columns > 3 || (character !== "`" && character !== "~")) return undefined;
  const length = runLength(text, indent.at, end);
  if (length < 3) return undefined;
  const info = text.slice(indent.at + length, end).trim();
  return character === "`" && info.includes("`") ? undefined : { character, length, info };
}

export function closesFence(text: string, at: number, end: number, fence: Fence): boolean {
  const indent = indentOf(text, at, end);
  if (indent.columns > 3 || text[indent.at] !== fence.character) return false;
  const length = runLength(text, indent.at, end);
  return length >= fence.length && isBlank(text, indent.at + length, end);
}

/** True for a heading that begins with number signs. */
export function isHeading(text: string, at: number, end: number): boolean {
  const indent = indentOf(text, at, end);
  return indent.columns <= 3 && /^#{1,6}(?:[ \t\n]|$)/.test(text.slice(indent.at, Math.min(end, indent.at + 8)));
}

/** True for a line of three or more asterisks, hyphens or underscores. */
export function isThematicBreak(text: string, at: number, end: number): boolean {
  const indent = indentOf(text, at, end);
  const mark = text[indent.at] ?? "";
  if (indent.columns > 3 || mark === "" || !"*-_".includes(mark)) return false;
  let count = 0;
  for (let index = indent.at; index < end; index += 1) {
    const character = text[index];
    if (character === mark) count += 1;
    else if (character !== " " && character !== "\t" && character !== "\n") return false;
  }
  return count >= 3;
}

/** True for the line under a heading: nothing but equals signs or hyphens. */
export function isUnderline(text: string, at: number, end: number): boolean {
  const indent = indentOf(text, at, end);
  const mark = text[indent.at];
  if (indent.columns > 3 || (mark !== "=" && mark !== "-")) return false;
  return isBlank(text, indent.at + runLength(text, indent.at, end), end);
}

export function isQuoteLine(text: string, at: number, end: number): boolean {
  const indent = indentOf(text, at, end);
  return indent.columns <= 3 && text[indent.at] === ">";
}

/** A list item's first line: the column at which its content begins, and whether it may interrupt a paragraph. */
type ListMarker = { readonly content: number; readonly interrupts: boolean };

export function listMarker(text: string, at: number, end: number): ListMarker | undefined {
  const indent = indentOf(text, at, end);
  if (indent.columns > 3) return undefined;
  const head = text.slice(indent.at, Math.min(end, indent.at + 24));
  const match = /^(?:[-+*]|(\d{1,9})[.)])(?=([ \t]*)(\n|$|[^ \t\n]))/.exec(head);
  const [marker = "", number, space = "", next = ""] = match ?? [];
  const isEmpty = next === "" || next === "\n";
  if (match === null || (space === "" && !isEmpty)) return undefined;
  const width = indent.columns + marker.length;
  const wide = space.includes("\t") ? 4 : space.length;
  return {
    content: width + (isEmpty || wide > 4 ? 1 : wide),
    interrupts: !isEmpty && (number === undefined || number === "1"),
  };
}

/** True for the row under a table's header: at least one bar or colon, hyphens between. */
export function isDelimiterRow(text: string, at: number, end: number): boolean {
  const first = text[indentOf(text, at, end).at] ?? "";
  if (first === "" || !"|:-".includes(first) || end - at > 4000) return false;
  const row = text.slice(at, end).trim();
  return row.includes("|") && /^\|?(?:[ \t]*:?-+:?[ \t]*\|)*(?:[ \t]*:?-+:?[ \t]*)?$/.test(row);
}

export function countCells(row: string): number {
  const bars = row.trim().replace(/^\||(?<!\\)\|$/g, "");
  return bars.split(/(?<!\\)\|/).length;
}

function runLength(text: string, at: number, end: number): number {
  let index = at;
  while (index < end && text[index] === text[at]) index += 1;
  return index - at;
}

/** Where an HTML block ends: at a pattern (raw HTML, which holds no Markdown), before a blank line, or with its line. */
type HtmlBlock = { readonly endsAt: RegExp | "blank-line" | "line-end" };

const RAW_ENDS: readonly (readonly [RegExp, RegExp])[] = [
  [/^<(?:pre|script|style|textarea)(?:[\s>]|$)/i, /<\/(?:pre|script|style|textarea)>/gi],
  [/^<!--/, /-->/g],
  [/^<\?/, /\?>/g],
  [/^<!\[CDATA\[/, /\]\]>/g],
  [/^<![a-z]/i, />/g],
];
const BLOCK_TAG =
  /^<\/?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|meta|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?:\s|\/?>|$)/i;
/** A single complete tag and nothing else; a longer line than this is not searched for one. */
const LONGEST_TAG = 1000;
const SINGLE_TAG =
  /^(?:<[a-z][a-z0-9-]*(?:\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*\s*\/?>|<\/[a-z][a-z0-9-]*\s*>)\s*$/i;

/** Markdown goes on behind a closing tag, and thoughts are looked for by their own rules. */
const ONE_LINE = /^<(?:\/|think(?:ing)?\b)/i;

/** The HTML block that a line begins, or undefined. A single tag of another name does not interrupt a paragraph. */
export function htmlBlock(text: string, at: number, end: number, isInParagraph: boolean): HtmlBlock | undefined {
  const indent = indentOf(text, at, end);
  if (indent.columns > 3 || text[indent.at] !== "<") return undefined;
  const head = text.slice(indent.at, Math.min(end, indent.at + LONGEST_TAG));
  const raw = RAW_ENDS.find(([opening]) => opening.test(head));
  if (raw !== undefined) return { endsAt: raw[1] };
  const isTag = BLOCK_TAG.test(head) || (!isInParagraph && end - indent.at <= LONGEST_TAG && SINGLE_TAG.test(head));
  if (!isTag) return undefined;
  return { endsAt: ONE_LINE.test(head) ? "line-end" : "blank-line" };
}

export function* htmlBlockEnd(text: string, start: number, { endsAt }: HtmlBlock): Sliced<number> {
  if (endsAt === "line-end") return lineEndOf(text, start);
  if (endsAt === "blank-line") return yield* linesWhile(text, start, (at, end) => !isBlank(text, at, end));
  endsAt.lastIndex = start + 2;
  const close = endsAt.exec(text)?.index;
  return close === undefined ? text.length : lineEndOf(text, close);
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
