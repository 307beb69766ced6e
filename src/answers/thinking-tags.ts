import type { QuotedSpans } from "./markdown/quoted-spans.ts";
import { NextIndex, SLICE, type Sliced } from "./slices.ts";

export const OPENING_TAG: RegExp = /<think(?:ing)?\b[^<>\n]{0,300}>/i;
export const CLOSING_TAG: RegExp = /<\/think(?:ing)?\s{0,20}>/i;

/** A thought, from its opening tag to behind its closing tag. */
type Thought = { readonly start: number; readonly end: number };

/** Finds what stands between the tags `<think>` or `<thinking>` of an answer, from left to right. */
export class ThinkingTags {
  private readonly text: string;
  private readonly opening: NextIndex;
  private readonly closing: NextIndex;
  /** A tag here closes a thought that was not opened. */
  private lastStrayClosing = -1;
  /** A tag here opens a thought that is not closed. */
  private firstStrayOpening = Number.POSITIVE_INFINITY;

  constructor(text: string) {
    this.text = text;
    this.opening = new NextIndex(text, new RegExp(OPENING_TAG, "gi"));
    this.closing = new NextIndex(text, new RegExp(CLOSING_TAG, "gi"));
  }

  /** The offset behind the tag that closes the one at `opening`; undefined when nothing closes it. */
  closeOf(opening: number): number | undefined {
    const close = this.closing.at(opening);
    return close === this.text.length ? undefined : this.text.indexOf(">", close) + 1;
  }

  /** The first thought that opens between two offsets. Tags in code and comments are passed over. */
  *findThought(start: number, end: number, spans: () => Sliced<QuotedSpans>): Sliced<Thought | undefined> {
    for (let [from, pausedAt] = [start, start]; ; ) {
      const [opening, closing] = [this.opening.at(from), this.closing.at(from)];
      const tag = Math.min(opening, closing);
      if (tag >= end) return undefined;
      from = tag + 1;
      if (from - pausedAt > SLICE) {
        pausedAt = from;
        yield;
      }
      if ((yield* spans()).coversTag(tag)) continue;
      const close = this.closeOf(tag);
      if (tag === opening && close !== undefined) return { start: tag, end: close };
      if (tag === opening) this.firstStrayOpening = Math.min(this.firstStrayOpening, tag);
      else this.lastStrayClosing = tag;
    }
  }

  /** True for an offset in front of a closing tag without an opening one, or behind an opening tag without a closing one. */
  mayCover(index: number): boolean {
    return index < this.lastStrayClosing || index > this.firstStrayOpening;
  }
}
