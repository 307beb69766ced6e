import { NextIndex, SLICE } from "./slices.ts";

const BACKTICKS = /(?<![`\\])`{1,2}(?!`)/g;
/** How many characters behind the beginning of what it quotes a span may be closed. */
const LONGEST = 1000;

/** The code spans of one or two backticks in a text, asked for from left to right. */
export class CodeSpans {
  private readonly text: string;
  private readonly next: NextIndex;
  /** The backticks of the span that is open at `until`. */
  private open: string | undefined;
  private until = 0;

  constructor(text: string) {
    this.text = text;
    this.next = new NextIndex(text, "`");
  }

  /** True if backticks that open behind `from`, where the paragraph begins or a place ends, are not closed before `at`. */
  isOpen(at: number, from: number): boolean {
    const start = Math.max(from, at - SLICE);
    if (start > this.until) {
      this.open = undefined;
      this.until = start;
    }
    if (this.next.at(this.until) < at)
      for (const [run] of this.text.slice(this.until, at).matchAll(BACKTICKS))
        this.open = this.open === undefined ? run : this.open === run ? undefined : this.open;
    this.until = Math.max(this.until, at);
    return this.open !== undefined;
  }

  /** True if they are closed behind it, in the same paragraph. */
  covers(at: number, from: number): boolean {
    if (!this.isOpen(at, from)) return false;
    const [paragraph = ""] = this.text.slice(at, at + LONGEST).split(/\n[ \t]*\n/, 1);
    return (paragraph.match(BACKTICKS) ?? []).some((run) => run === this.open);
  }
}
