import type { Sliced } from "../slices.ts";
import { indentOf, isBlank, lineEndOf, linesWhile } from "./lines.ts";

/** Where an HTML block ends: at a pattern (raw HTML, which holds no Markdown), before a blank line, or with its line. */
export type HtmlBlock = { readonly endsAt: RegExp | "blank-line" | "line-end" };

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

/** The offset behind an HTML block that begins at `start`. */
export function* htmlBlockEnd(text: string, start: number, { endsAt }: HtmlBlock): Sliced<number> {
  if (endsAt === "line-end") return lineEndOf(text, start);
  if (endsAt === "blank-line") return yield* linesWhile(text, start, (at, end) => !isBlank(text, at, end));
  endsAt.lastIndex = start + 2;
  const close = endsAt.exec(text)?.index;
  return close === undefined ? text.length : lineEndOf(text, close);
}
