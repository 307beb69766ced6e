import type { Colors } from "../screen.ts";
import { isTableRow } from "./table-block.ts";
import type { Indent } from "./word-flow.ts";

/** How a line of flowing text is shown: what stands before it, its style, and where its text begins. */
export type FlowLayout = {
  readonly kind: "flow";
  readonly indent: Indent;
  readonly style?: (text: string) => string;
  readonly from: number;
  /** True for an item of a list: indented lines below it belong to it. */
  readonly isItem: boolean;
};

/** The opening line of a code block. */
export type FenceLayout = { readonly kind: "fence"; readonly mark: string; readonly indent: string };

export type LineLayout =
  | FlowLayout
  | FenceLayout
  | { readonly kind: "table" | "rule" | "blank" }
  /** A line that is shown as it is, without wrapping. */
  | { readonly kind: "code" };

const DEEPEST_INDENT = 16;
const DEEPEST_QUOTE = 5;
const FENCE = /^(\s*)(`{3,}(?=[^`]*$)|~{3,})/;
const RULE = /^\s{0,3}([-*_])(?:[ \t]*\1){2,}\s*$/;
const HEADING = /^ {0,3}(#{1,6})[ \t]+/;
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])(?:[ \t]+(?=\S)|[ \t]*$)/;
const QUOTE = /^ {0,3}>[ \t]?/;

/** A part of a line, without the blanks around it, of which the next characters may still change the layout. */
const UNDECIDED = /^(?:>\s*)*(?:`{0,2}|~{0,2}|[-*_+=]*|[-*_](?:[ \t]*[-*_])*|#{1,6}|\d{1,9}[.)]?|[-*+]|\d{1,9}[.)])?$/;

/**
 * The layout of a line; undefined while the line is incomplete and its layout is not certain. Tables, rules and code are certain only
 * when the line is complete.
 */
export function layoutOf(line: string, isComplete: boolean, inList: boolean, colors: Colors): LineLayout | undefined {
  const isWhole = /^\s*(?:```|~~~|\|)/.test(line) || (!inList && /^(?: {4}|\t)/.test(line));
  if (!isComplete && (isWhole || UNDECIDED.test(line.trim()))) return undefined;
  if (line.trim() === "") return { kind: "blank" };
  const fence = FENCE.exec(line);
  if (fence !== null) return { kind: "fence", indent: fence[1] ?? "", mark: fence[2] ?? "" };
  if (isTableRow(line)) return { kind: "table" };
  if (RULE.test(line)) return { kind: "rule" };
  if (!inList && /^(?: {4}|\t)/.test(line)) return { kind: "code" };
  return flowOf(line, colors);
}

function flowOf(line: string, colors: Colors, depth = 0): FlowLayout {
  const heading = HEADING.exec(line);
  if (heading !== null) return headingOf(heading, colors);
  const quote = depth < DEEPEST_QUOTE ? QUOTE.exec(line) : null;
  if (quote !== null) return quoteOf(line, quote[0].length, colors, depth);
  const item = ITEM.exec(line);
  if (item !== null) {
    const [whole, blanks = "", mark = ""] = item;
    const before = toBlanks(blanks);
    const shown = /^\d/.test(mark) ? mark : "•";
    const indent = { first: `${before}${shown} `, rest: `${before}${" ".repeat(shown.length + 1)}` };
    return { kind: "flow", indent, from: whole.length, isItem: true };
  }
  const blanks = /^\s*/.exec(line)?.[0] ?? "";
  const before = toBlanks(blanks);
  return { kind: "flow", indent: { first: before, rest: before }, from: blanks.length, isItem: false };
}

/** Without colours a heading keeps its marks, because nothing else would show that it is one. */
function headingOf([whole, marks = ""]: RegExpExecArray, { bold, underline, isColorSupported }: Colors): FlowLayout {
  const indent = { first: "", rest: "" };
  if (!isColorSupported) return { kind: "flow", indent: { first: `${marks} `, rest: "" }, from: whole.length, isItem: false };
  const style = marks === "#" ? (text: string) => bold(underline(text)) : bold;
  return { kind: "flow", indent, style, from: whole.length, isItem: false };
}

function quoteOf(line: string, length: number, colors: Colors, depth: number): FlowLayout {
  const inner = flowOf(line.slice(length), colors, depth + 1);
  const bar = colors.dim("│ ");
  const indent = { first: `${bar}${inner.indent.first}`, rest: `${bar}${inner.indent.rest}` };
  return { ...inner, indent, from: length + inner.from };
}

/** Deep indents would leave no room for the text. */
function toBlanks(blanks: string): string {
  return " ".repeat(Math.min(blanks.replaceAll("\t", "    ").length, DEEPEST_INDENT));
}
