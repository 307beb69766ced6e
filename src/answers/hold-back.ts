import { OTHER_NOTATIONS } from "./call-starts.ts";
import { CLOSING_TAG } from "./hidden-parts.ts";
import { BraceCount } from "./scan-json.ts";

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
/** The possible start of an envelope within a line (a brace, and behind it `tool_calls` or the end of what has arrived) or of a tag. */
const INNER_ENVELOPE = /\{[^{}]{0,300}(?:["'“”‘’`]tool_call|$)|<\/?[a-z\s]{0,30}$/i;
/** The word of a call, also with its letters written as escapes. */
const WORD = /tool_call|\\u00/i;
/** A pattern for the closing of a longer fence would be slow. */
const LONGEST_FENCE = 200;
const LOOK_BACK = 320;

type Mode = "line-start" | "line" | "fence-start" | "fence" | "object" | "hold";

/**
 * Decides, while an answer streams in, how much of it may be shown: everything before a possible tool call. A block that is not
 * a call is released when it is complete; white space is held until text follows. The work is linear in the length of the text.
 */
export class HoldBack {
  private readonly watches: boolean;
  private mode: Mode = "line-start";
  /** The start of a line whose kind is not known yet. */
  private line = "";
  /** The pieces of the held block, and those of the current line in a fence. */
  private block: string[] = [];
  private fenceLine: string[] = [];
  private closing = /^$/;
  private object = new BraceCount();
  /** White space behind the shown text, of earlier pieces and of this one. */
  private spaces: string[] = [];
  private newSpaces: string[] = [];
  private hasShown = false;
  private shown: string[] = [];

  /** `watches` is false for requests without tools: then only leading and trailing white space is held. */
  constructor(watches: boolean) {
    this.watches = watches;
  }

  /** Adds a piece and returns the text that may be shown now. */
  push(piece: string): string {
    this.shown = [];
    if (this.watches) for (const segment of piece.match(/[^\n\r]*[\n\r]+|[^\n\r]+/g) ?? []) this.take(segment);
    else this.show(piece);
    if (this.newSpaces.length > 0) this.spaces.push(this.newSpaces.join(""));
    this.newSpaces = [];
    return this.shown.join("");
  }

  private take(segment: string): void {
    for (let rest = segment; rest !== ""; ) rest = this.takeSome(rest);
  }

  /** Takes a line or part of a line; returns the part that must be looked at again, in the new mode. */
  private takeSome(segment: string): string {
    switch (this.mode) {
      case "hold":
        return "";
      case "line":
        return this.takeLine(segment);
      case "line-start":
        return this.takeLineStart(segment);
      case "fence-start":
        return this.takeFenceStart(segment);
      case "fence":
        return this.takeFenceLine(segment);
      default:
        return this.takeObject(segment);
    }
  }

  private takeLineStart(segment: string): string {
    const line = this.line + segment;
    this.line = "";
    const start = line.slice(0, 40);
    if (OTHER_NOTATIONS.some((tag) => start.trimStart().toLowerCase().startsWith(tag))) this.mode = "hold";
    else if (FENCE.test(start)) this.mode = "fence-start";
    else if (/^ {0,3}\{/.test(start)) this.mode = "object";
    else if (isLineEnd(line) || !mayBegin(line)) this.mode = "line";
    else {
      this.line = line;
      return "";
    }
    return line;
  }

  private takeLine(segment: string): string {
    const line = this.line + segment;
    this.line = "";
    // Behind a thought a new line begins.
    const closing = CLOSING_TAG.exec(line);
    if (closing !== null) {
      const end = closing.index + closing[0].length;
      this.show(line.slice(0, end));
      this.mode = "line-start";
      return line.slice(end);
    }
    const inner = INNER_ENVELOPE.exec(line.slice(-LOOK_BACK - segment.length));
    const from = inner === null ? -1 : Math.max(0, line.length - LOOK_BACK - segment.length) + inner.index;
    if (inner !== null && WORD.test(inner[0])) {
      this.show(line.slice(0, from));
      this.mode = "hold";
    } else if (from !== -1 && !isLineEnd(segment) && line.length - from < LOOK_BACK) {
      this.show(line.slice(0, from));
      this.line = line.slice(from);
    } else {
      this.show(line);
      if (isLineEnd(segment)) this.mode = "line-start";
    }
    return "";
  }

  private takeFenceStart(segment: string): string {
    this.fenceLine.push(segment);
    if (!isLineEnd(segment)) return "";
    const line = this.endFenceLine();
    const fence = FENCE.exec(line)?.[1] ?? "";
    const isOneLine = fence.startsWith("`") && line.slice(line.indexOf(fence) + fence.length).includes("`");
    this.block = [line];
    if (WORD.test(line) || fence.length > LONGEST_FENCE) this.mode = "hold";
    else if (isOneLine) this.letGo();
    else {
      this.mode = "fence";
      this.closing = new RegExp(`^ {0,3}${fence[0]}{${fence.length},}[ \\t]*[\\n\\r]+$`);
    }
    return "";
  }

  private takeFenceLine(segment: string): string {
    this.fenceLine.push(segment);
    if (!isLineEnd(segment)) return "";
    const line = this.endFenceLine();
    this.block.push(line);
    if (WORD.test(line)) this.mode = "hold";
    else if (this.closing.test(line)) this.letGo();
    return "";
  }

  private endFenceLine(): string {
    const line = this.fenceLine.join("");
    this.fenceLine = [];
    return line;
  }

  private takeObject(segment: string): string {
    const end = this.object.take(segment);
    this.block.push(segment.slice(0, end));
    if (!this.object.isComplete) return "";
    this.object = new BraceCount();
    if (WORD.test(this.block.join(""))) this.mode = "hold";
    else this.letGo();
    return segment.slice(end);
  }

  private letGo(): void {
    const text = this.block.join("");
    this.block = [];
    this.mode = "line-start";
    this.show(text);
  }

  private show(text: string): void {
    const body = text.trimEnd();
    if (body === "") {
      this.newSpaces.push(text);
      return;
    }
    this.shown.push(this.hasShown ? [...this.spaces, ...this.newSpaces, body].join("") : body.trimStart());
    this.spaces = [];
    this.newSpaces = [text.slice(body.length)];
    this.hasShown = true;
  }
}

function isLineEnd(segment: string): boolean {
  return segment.endsWith("\n") || segment.endsWith("\r");
}

/** True if a partial line may begin a block with a call. */
function mayBegin(line: string): boolean {
  const start = line.replace(/^ {0,3}/, "").toLowerCase();
  return start === ""
    ? line.length <= 3
    : /^(?:`{1,2}|~{1,2})$/.test(start) || OTHER_NOTATIONS.some((tag) => tag.startsWith(start));
}
