import type { Sliced } from "../slices.ts";
import { htmlBlock } from "./html.ts";
import {
  closesFence,
  type Fence,
  indentOf,
  isBlank,
  isHeading,
  isQuoteLine,
  isThematicBreak,
  linesWhile,
  listMarker,
  openingFence,
} from "./lines.ts";
import { interruptsParagraph } from "./paragraphs.ts";

/** The offset behind the block quote that begins at `start`. */
export function* quoteEnd(text: string, start: number): Sliced<number> {
  const inner = new InnerText(text);
  return yield* linesWhile(text, start, (at, end) => {
    if (!isQuoteLine(text, at, end)) return inner.goesOn(at, end);
    inner.take(at, end);
    return true;
  });
}

/** The offset behind the list that begins at `start`, with all its items. */
export function* listEnd(text: string, start: number): Sliced<number> {
  const inner = new InnerText(text);
  let content = Number.POSITIVE_INFINITY;
  return yield* linesWhile(text, start, (at, end) => {
    const indent = indentOf(text, at, end);
    const marker = isThematicBreak(text, at, end) ? undefined : listMarker(text, at, end);
    if (isBlank(text, at, end)) inner.isParagraph = false;
    else if (indent.columns >= content) inner.take(indent.at, end);
    else if (marker === undefined) return inner.goesOn(at, end);
    else {
      content = marker.content;
      inner.begin(at, end);
    }
    return true;
  });
}

/** Follows the text inside a quote or list item, to know whether a line without its mark still belongs to a paragraph there. */
class InnerText {
  private readonly text: string;
  private fence: Fence | undefined;
  isParagraph = false;

  constructor(text: string) {
    this.text = text;
  }

  /** Takes the first line of a new item. */
  begin(at: number, end: number): void {
    this.fence = undefined;
    this.isParagraph = false;
    this.take(at, end);
  }

  take(at: number, end: number): void {
    const { text } = this;
    const from = behindMarks(text, at, end);
    if (this.fence !== undefined) {
      if (closesFence(text, from, end, this.fence)) this.fence = undefined;
      return;
    }
    this.fence = openingFence(text, from, end);
    const isText =
      this.fence === undefined &&
      !isBlank(text, from, end) &&
      !isHeading(text, from, end) &&
      !isThematicBreak(text, from, end) &&
      htmlBlock(text, from, end, this.isParagraph) === undefined;
    this.isParagraph = isText && (this.isParagraph || indentOf(text, from, end).columns <= 3);
  }

  /** True if a line that lacks the container's mark continues its paragraph. */
  goesOn(at: number, end: number): boolean {
    return this.isParagraph && !isBlank(this.text, at, end) && !interruptsParagraph(this.text, at, end);
  }
}

/** A longer line is not taken for a thematic break inside a container: it would be scanned once for each mark. */
const LONGEST_BREAK = 1000;
/** More marks on one line than this are not looked behind. */
const MOST_MARKS = 100;

/** The offset behind the quote marks and list markers of a line, each with the space that belongs to it. */
function behindMarks(text: string, at: number, end: number): number {
  let from = at;
  for (let count = 0; count < MOST_MARKS && from < end; count += 1) {
    const indent = indentOf(text, from, end);
    if (isQuoteLine(text, from, end)) from = indent.at + (text[indent.at + 1] === " " ? 2 : 1);
    else if (listMarker(text, from, end) !== undefined && (end - from > LONGEST_BREAK || !isThematicBreak(text, from, end))) {
      const head = text.slice(indent.at, Math.min(end, indent.at + 24));
      from = indent.at + (/^\S+[ \t]?/.exec(head)?.[0].length ?? 1);
    } else break;
  }
  return from;
}
