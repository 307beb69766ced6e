import { scanJson } from "./scan-json.ts";

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const OTHER_NOTATION = ["<tool_call", "<function_calls", "<invoke"];
/** The possible start of an envelope within a line. */
const INNER_ENVELOPE =
  /\{(?:[^{}]{0,300}["'“”‘’`]tool_call|\s*(?:["'“”‘’`]?(?:t(?:o(?:o(?:l(?:_(?:c(?:a(?:l(?:l)?)?)?)?)?)?)?)?)?)?$)/;
/** The word of a call, also with its letters written as escapes. */
const WORD = /tool_call|\\u00/i;
/** How many characters of a line are searched for an envelope. */
const LOOK_BACK = 320;

type Mode = "line-start" | "line" | "fence" | "object" | "hold";

/**
 * Decides, while an answer streams in, how much of it may be shown: everything before a possible tool call. A block that is not
 * a call is released when it is complete; white space is held until text follows. The work is linear in the length of the text.
 */
export class HoldBack {
  private readonly watches: boolean;
  private mode: Mode = "line-start";
  /** The start of a line whose kind is not known yet; in a fence, the current line. */
  private line = "";
  /** The pieces of the held block. */
  private block: string[] = [];
  private blockLength = 0;
  private nextLook = 0;
  private fence = "";
  private spaces = "";
  private hasShown = false;
  private shown: string[] = [];

  /** `watches` is false for requests without tools: then only leading and trailing white space is held. */
  constructor(watches: boolean) {
    this.watches = watches;
  }

  /** Adds a piece and returns the text that may be shown now. */
  push(piece: string): string {
    this.shown = [];
    if (this.watches) for (const segment of piece.match(/[^\n\r]*[\n\r]|[^\n\r]+/g) ?? []) this.take(segment);
    else this.show(piece);
    return this.shown.join("");
  }

  private take(segment: string): void {
    switch (this.mode) {
      case "hold":
        return;
      case "line":
        return this.takeLine(segment);
      case "line-start":
        return this.takeLineStart(segment);
      case "fence":
        return this.takeFenceLine(segment);
      default:
        return this.takeObject(segment);
    }
  }

  private takeLineStart(segment: string): void {
    this.line += segment;
    const { line } = this;
    const isComplete = /[\n\r]$/.test(line);
    if (OTHER_NOTATION.some((tag) => line.trimStart().toLowerCase().startsWith(tag))) this.mode = "hold";
    else if (FENCE.test(line)) {
      if (isComplete) this.openFence(line);
    } else if (/^ {0,3}\{/.test(line)) this.openObject(line);
    else if (isComplete || !mayBegin(line)) {
      this.line = "";
      this.mode = "line";
      this.takeLine(line);
    }
  }

  private takeLine(segment: string): void {
    const line = this.line + segment;
    const inner = INNER_ENVELOPE.exec(line.slice(-LOOK_BACK - segment.length));
    const from = inner === null ? -1 : Math.max(0, line.length - LOOK_BACK - segment.length) + inner.index;
    const isComplete = /[\n\r]$/.test(segment);
    if (inner !== null && WORD.test(inner[0])) {
      this.show(line.slice(0, from));
      this.mode = "hold";
    } else if (from !== -1 && !isComplete && line.length - from < LOOK_BACK) {
      this.show(line.slice(0, from));
      this.line = line.slice(from);
    } else {
      this.show(line);
      this.line = "";
      if (isComplete) this.mode = "line-start";
    }
  }

  private openFence(line: string): void {
    const fence = FENCE.exec(line)?.[1] ?? "";
    const isOneLine = fence.startsWith("`") && line.slice(line.indexOf(fence) + fence.length).includes("`");
    this.line = "";
    if (WORD.test(line)) this.mode = "hold";
    else if (isOneLine) this.letGo([line]);
    else {
      this.mode = "fence";
      this.fence = fence;
      this.block = [line];
    }
  }

  private takeFenceLine(segment: string): void {
    this.line += segment;
    if (!/[\n\r]$/.test(segment)) return;
    const { line, fence } = this;
    this.line = "";
    this.block.push(line);
    if (WORD.test(line)) this.mode = "hold";
    else if (new RegExp(`^ {0,3}${fence[0]}{${fence.length},}[ \\t]*[\\n\\r]$`).test(line)) this.letGo(this.block);
  }

  private openObject(line: string): void {
    this.line = "";
    this.mode = "object";
    this.block = [];
    this.blockLength = 0;
    this.nextLook = 0;
    this.takeObject(line);
  }

  /** Scans the object again each time it has grown by half. */
  private takeObject(segment: string): void {
    this.block.push(segment);
    this.blockLength += segment.length;
    if (this.blockLength < this.nextLook) return;
    this.nextLook = Math.ceil(this.blockLength * 1.5);
    const text = this.block.join("");
    const extent = scanJson(text, text.indexOf("{"));
    if (WORD.test(text)) this.mode = "hold";
    else if (!extent.isCut && !extent.isTangled) {
      this.letGo([text.slice(0, extent.end)]);
      for (const rest of text.slice(extent.end).match(/[^\n\r]*[\n\r]|[^\n\r]+/g) ?? []) this.take(rest);
    }
  }

  private letGo(block: readonly string[]): void {
    this.block = [];
    this.mode = "line-start";
    this.show(block.join(""));
  }

  private show(text: string): void {
    const all = this.spaces + text;
    const body = all.trimEnd();
    this.spaces = all.slice(body.length);
    const visible = this.hasShown ? body : body.trimStart();
    if (visible === "") return;
    this.hasShown = true;
    this.shown.push(visible);
  }
}

/** True if a partial line may begin a block with a call. */
function mayBegin(line: string): boolean {
  const start = line.replace(/^ {0,3}/, "").toLowerCase();
  return start === ""
    ? line.length <= 3
    : /^(?:`{1,2}|~{1,2})$/.test(start) || OTHER_NOTATION.some((tag) => tag.startsWith(start));
}
