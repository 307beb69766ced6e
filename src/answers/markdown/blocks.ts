import type { Sliced } from "../slices.ts";
import { listEnd, quoteEnd } from "./containers.ts";
import { htmlBlock, htmlBlockEnd } from "./html.ts";
import {
  closesFence,
  type Fence,
  indentOf,
  isBlank,
  isHeading,
  isQuoteLine,
  isThematicBreak,
  lineEndOf,
  linesWhile,
  listMarker,
  openingFence,
} from "./lines.ts";
import { isTableHead, paragraphEnd } from "./paragraphs.ts";

/** A top-level block of a Markdown text. `verbatim` is indented code or raw HTML, `plain` a line without text. */
export type Block = { readonly start: number; readonly end: number } & (
  | { readonly kind: "paragraph" | "heading" | "list" | "quote" | "table" | "html" | "verbatim" | "plain" }
  | { readonly kind: "fence"; readonly info: string; readonly contentStart: number; readonly contentEnd: number }
);

/**
 * Reads the top-level block that begins at `at` in one pass over its lines, by CommonMark's rules of block structure. Inline
 * markup is not read. Line ends are "\n".
 */
export function* nextBlock(text: string, at: number): Sliced<Block> {
  const end = lineEndOf(text, at);
  if (isBlank(text, at, end))
    return { kind: "plain", start: at, end: yield* linesWhile(text, end, (from, to) => isBlank(text, from, to)) };
  if (isThematicBreak(text, at, end)) return { kind: "plain", start: at, end };
  if (indentOf(text, at, end).columns > 3)
    return { kind: "verbatim", start: at, end: yield* linesWhile(text, end, (from, to) => isIndentedOrBlank(text, from, to)) };
  const fence = openingFence(text, at, end);
  if (fence !== undefined) return yield* fencedBlock(text, at, end, fence);
  if (isHeading(text, at, end)) return { kind: "heading", start: at, end };
  if (isQuoteLine(text, at, end)) return { kind: "quote", start: at, end: yield* quoteEnd(text, at) };
  if (listMarker(text, at, end) !== undefined) return { kind: "list", start: at, end: yield* listEnd(text, at) };
  const html = htmlBlock(text, at, end, false);
  if (html !== undefined)
    return { kind: typeof html.endsAt === "string" ? "html" : "verbatim", start: at, end: yield* htmlBlockEnd(text, at, html) };
  const isTable = isTableHead(text, at, end);
  const from = isTable ? lineEndOf(text, end) : end;
  const kind = isTable ? "table" : "paragraph";
  return { kind, start: at, end: yield* paragraphEnd(text, from, kind) };
}

/** A fence that is not closed goes on to the end of the text. */
function* fencedBlock(text: string, start: number, contentStart: number, fence: Fence): Sliced<Block> {
  const contentEnd = yield* linesWhile(text, contentStart, (at, end) => !closesFence(text, at, end, fence));
  return { kind: "fence", start, end: lineEndOf(text, contentEnd), info: fence.info, contentStart, contentEnd };
}

/** Indented code goes on over blank lines. */
function isIndentedOrBlank(text: string, at: number, end: number): boolean {
  return indentOf(text, at, end).columns > 3 || isBlank(text, at, end);
}
