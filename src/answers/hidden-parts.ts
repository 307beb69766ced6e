import { NextIndex } from "./slices.ts";

const CLOSING = "/think(?:ing)?\\s{0,20}>";
export const CLOSING_TAG: RegExp = new RegExp(`<${CLOSING}`, "i");

const RAW = "(?:pre|script|style|textarea)";
const TAG = `(?:think(?:ing)?\\b[^<>\\n]{0,300}>|(?<=(?:^|\\n) {0,3}<)${RAW}\\b|!--|${CLOSING})`;
/** A tag that is not alone between backticks. All that can match begins with "<", which makes the search fast. */
const WRITTEN_TAG = new RegExp(`<(?:(?<!\`<)${TAG}|${TAG}(?!\`))`, "gi");

/** Finds what tags hide in an answer, from left to right: thoughts, comments and raw HTML. */
export class HiddenParts {
  /** A tag here closes a thought that was not opened: everything in front of it may be a thought. */
  lastStrayClosing = -1;
  /** True when a tag was not closed: everything behind it may be hidden. */
  hasUnclosed = false;
  private readonly text: string;
  private readonly tags: NextIndex;
  private readonly thoughtEnds: NextIndex;
  private readonly commentEnds: NextIndex;
  private readonly rawEnds: NextIndex;

  constructor(text: string) {
    this.text = text;
    this.tags = new NextIndex(text, WRITTEN_TAG);
    this.thoughtEnds = new NextIndex(text, new RegExp(CLOSING_TAG, "gi"));
    this.commentEnds = new NextIndex(text, "-->");
    this.rawEnds = new NextIndex(text, new RegExp(`</${RAW}\\s{0,20}>`, "gi"));
  }

  /** The next tag, or the length of the text. */
  nextTag(from: number): number {
    return this.tags.at(from);
  }

  /** The offset behind what the tag at `tag` hides, which goes to the end if `mayEnd` and nothing closes it; otherwise undefined. */
  endOf(tag: number, mayBeUnclosed: boolean): number | undefined {
    const { text } = this;
    const name = text.slice(tag + 1, tag + 3).toLowerCase();
    if (name === "/t") {
      this.lastStrayClosing = tag;
      return undefined;
    }
    const ends = name === "th" ? this.thoughtEnds : name === "!-" ? this.commentEnds : this.rawEnds;
    const end = ends.at(tag);
    if (end < text.length) return text.indexOf(">", end) + 1;
    if (mayBeUnclosed) return text.length;
    this.hasUnclosed = true;
    return undefined;
  }
}
