import { scanJson } from "./scan-json.ts";

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const OTHER_NOTATION = ["<tool_call", "<function_calls", "<invoke"];
/** An envelope that may be beginning in the middle of a line. */
const INNER_ENVELOPE = /\{\s*(?:["'“”‘’`]?(?:t(?:o(?:o(?:l(?:_(?:c(?:a(?:l(?:l(?:s[\s\S]*)?)?)?)?)?)?)?)?)?)?)?$/;
const WORD = "tool_call";

/** A block that may hold a call: it is looked at again when enough has come, so that a long one costs no more than its length. */
type HeldBlock = { readonly fence: string | undefined; searchedTo: number; nextLook: number };

/**
 * Decides, while an answer comes in, how much of it may be shown: everything up to where a tool call may be beginning. A block that
 * turns out to be none is let go when it is complete; white space is held until something follows.
 */
export class HoldBack {
  private text = "";
  /** Everything before this is text for certain. */
  private safe = 0;
  private shown = 0;
  private block: HeldBlock | undefined;
  private holdsAll = false;
  private readonly watches: boolean;

  /** `watches` is false where calls are not read; then only white space at the two ends is held. */
  constructor(watches: boolean) {
    this.watches = watches;
  }

  /** Adds a piece and gives what may be shown now. */
  push(piece: string): string {
    this.text += piece;
    if (this.holdsAll) return "";
    if (!this.watches) this.safe = this.text.length;
    while (this.watches && (this.block === undefined ? this.passLine() : this.passBlock(this.block)));
    return this.show();
  }

  private show(): string {
    let end = this.safe;
    while (end > this.shown && isSpace(this.text[end - 1])) end -= 1;
    let start = this.shown;
    if (start === 0) while (start < end && isSpace(this.text[start])) start += 1;
    if (end <= start) return "";
    this.shown = end;
    return this.text.slice(start, end);
  }

  /** Moves `safe` over the next line, or as far into it as is certain; true when there may be more to pass. */
  private passLine(): boolean {
    if (this.holdsAll) return false;
    const lineEnd = this.text.indexOf("\n", this.safe);
    const isComplete = lineEnd !== -1;
    const line = this.text.slice(this.safe, isComplete ? lineEnd : undefined);
    if (this.isAtLineStart() && mayBegin(line, isComplete)) return this.openBlock(line, isComplete);
    const inner = INNER_ENVELOPE.exec(line);
    if (inner !== null && (!isComplete || inner[0].includes(WORD))) {
      this.safe += inner.index;
      this.holdsAll = inner[0].includes(WORD);
      return false;
    }
    this.safe += isComplete ? line.length + 1 : line.length;
    return isComplete;
  }

  private isAtLineStart(): boolean {
    return this.safe === 0 || this.text[this.safe - 1] === "\n";
  }

  private openBlock(line: string, isComplete: boolean): boolean {
    if (OTHER_NOTATION.some((tag) => line.trimStart().toLowerCase().startsWith(tag))) {
      this.holdsAll = true;
      return false;
    }
    const fence = FENCE.exec(line)?.[1];
    const isObject = fence === undefined && line.trimStart().startsWith("{");
    if (!isObject && (fence === undefined || !isComplete)) return false;
    const isOneLine = fence?.startsWith("`") === true && line.slice(line.indexOf(fence) + fence.length).includes("`");
    if (isOneLine && !line.includes(WORD)) {
      this.safe += line.length + 1;
      return true;
    }
    this.block = { fence, searchedTo: this.safe, nextLook: 0 };
    return true;
  }

  /** A fence or an object is let go when it is complete and has no word of a call in it. */
  private passBlock(block: HeldBlock): boolean {
    if (this.text.length < block.nextLook) return false;
    const end = block.fence === undefined ? this.endOfObject() : this.endOfFence(block.fence, block.searchedTo);
    const from = Math.max(this.safe, block.searchedTo - WORD.length);
    if (this.text.slice(from, end).includes(WORD)) {
      this.holdsAll = true;
      return false;
    }
    block.searchedTo = this.text.length;
    if (block.fence === undefined) block.nextLook = this.safe + Math.ceil((this.text.length - this.safe) * 1.5);
    if (end === undefined) return false;
    this.safe = end;
    this.block = undefined;
    return true;
  }

  /** Behind the line that closes the fence. */
  private endOfFence(fence: string, searchedTo: number): number | undefined {
    const opening = this.text.indexOf("\n", this.safe);
    const closing = new RegExp(`\\n {0,3}${fence[0]}{${fence.length},}[ \\t\\r]*\\n`, "g");
    closing.lastIndex = Math.max(opening, this.text.lastIndexOf("\n", searchedTo - 1));
    return closing.exec(this.text) === null ? undefined : closing.lastIndex;
  }

  private endOfObject(): number | undefined {
    const extent = scanJson(this.text, this.text.indexOf("{", this.safe));
    return extent.isCut ? undefined : extent.end;
  }
}

/** Whether a line, as far as it has come, may be the beginning of a block with a call. */
function mayBegin(line: string, isComplete: boolean): boolean {
  const start = line.replace(/^ {0,3}/, "");
  if (start.startsWith("{") || /^(?:`{3}|~{3})/.test(start)) return true;
  const lower = start.toLowerCase();
  if (OTHER_NOTATION.some((tag) => lower.startsWith(tag))) return true;
  if (isComplete) return false;
  return (
    /^ {1,3}$/.test(line) ||
    /^(?:`{1,2}|~{1,2})$/.test(start) ||
    (lower !== "" && OTHER_NOTATION.some((tag) => tag.startsWith(lower)))
  );
}

function isSpace(character: string | undefined): boolean {
  return character === undefined || /\s/.test(character);
}
