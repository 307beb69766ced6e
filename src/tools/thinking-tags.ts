import { NextIndex } from "./next-index.ts";

/** Finds the tags `<think>` and `<thinking>` of an answer from left to right. */
export class ThinkingTags {
  private readonly text: string;
  private readonly opening: NextIndex;
  private readonly closing: NextIndex;

  constructor(text: string) {
    this.text = text;
    this.opening = new NextIndex(text, /<think(?:ing)?\b[^<>\n]{0,60}>/gi);
    this.closing = new NextIndex(text, /<\/think(?:ing)?\s{0,20}>/gi);
  }

  /** The next opening tag at `from` or later, or the length of the text. */
  nextOpening(from: number): number {
    return this.opening.at(from);
  }

  /** The next closing tag at `from` or later, or the length of the text. */
  nextClosing(from: number): number {
    return this.closing.at(from);
  }

  /** The offset behind the tag that closes the one at `opening`; undefined when nothing closes it. */
  closeOf(opening: number): number | undefined {
    const close = this.closing.at(opening);
    return close === this.text.length ? undefined : this.text.indexOf(">", close) + 1;
  }
}
