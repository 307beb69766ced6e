import { beginsEnvelope, envelopeAround, mayHoldCall, OTHER_NOTATIONS, oneLineFence } from "./call-starts.ts";
import { CodeSpans } from "./code-spans.ts";
import { type Fence, readFence, withPlainLineEnds } from "./fences.ts";
import { HiddenParts } from "./hidden-parts.ts";
import { readJson } from "./read-json.ts";
import { NextIndex, SLICE, type Sliced, WorkLimit } from "./slices.ts";

/** A place in an answer: `call` may hold a tool call, `unclear` may only quote one, `notation` begins one in another notation. */
export type CallPlace = {
  readonly kind: "call" | "unclear" | "notation";
  /** The whole place, fence included, as offsets in the answer. */
  readonly start: number;
  readonly end: number;
  /** Where the JSON begins and where the place's content ends. */
  readonly jsonStart: number;
  readonly contentEnd: number;
};

/** The space at the beginning of a line, and the list markers behind it. */
const LINE_START = /([ \t]*)((?:(?:[-+*]|\d{1,9}[.)])(?:[ \t]+|(?=\n|$))){0,100})/y;
/** The line under a table's header. */
const TABLE_RULE = /:?-+:?[ \t]*\|/y;
const TAG = /<[a-z!?]/iy;
const OTHER_NOTATION = new RegExp(`(?:${OTHER_NOTATIONS.join("|")})\\b`, "iy");
const SPACE = /[ \t]*/y;
const THOUGHT = /<think/iy;
/** An answer with more places than this was made to be slow to read. */
const MOST_PLACES = 10_000;

/** A line of text: where it begins behind its space and list markers, these, and whether the space is four columns or more. */
type Line = { readonly first: number; readonly indent: string; readonly isDeep: boolean };

/**
 * Finds the places of an answer that may hold tool calls, in order, line by line, in time that grows with its length. Throws a
 * RangeError when the answer takes too much work.
 */
export function* findCallPlaces(answer: string): Sliced<readonly CallPlace[]> {
  const finder = new PlaceFinder(yield* withPlainLineEnds(answer));
  yield* finder.run();
  return finder.result();
}

class PlaceFinder {
  private readonly places: CallPlace[] = [];
  private readonly text: string;
  private readonly words: NextIndex;
  private readonly newlines: NextIndex;
  private readonly hidden: HiddenParts;
  private readonly spans: CodeSpans;
  private readonly work: WorkLimit;
  /** What the line belongs to. Only in text can it be clear that a call is meant. */
  private block: "none" | "text" | "quote" | "list" | "tags" = "none";
  private isBehindBlank = true;
  /** What stands before is a place, quoted or hidden: no envelope begins there. */
  private doneUntil = 0;
  /** The key of the last envelope that a code span quotes. */
  private quotedKey = 0;
  /** Parsing an object failed up to here, so objects that begin before it are not parsed. */
  private failedUntil = 0;

  constructor(text: string) {
    this.text = text;
    this.words = new NextIndex(text, "tool_calls");
    this.newlines = new NextIndex(text, "\n");
    this.hidden = new HiddenParts(text);
    this.spans = new CodeSpans(text);
    this.work = new WorkLimit(text);
  }

  *run(): Sliced<void> {
    for (let [at, pausedAt] = [0, 0]; at < this.text.length; ) {
      const line = this.beginLine(at);
      at = line === undefined ? this.lineEnd(at) : yield* this.takeLine(line);
      if (line === undefined) this.doneUntil = at;
      if (at - pausedAt < SLICE) continue;
      pausedAt = at;
      yield;
    }
  }

  result(): readonly CallPlace[] {
    const mayBeThought = ({ kind, start }: CallPlace): boolean => kind === "call" && start < this.hidden.lastStrayClosing;
    return this.places.map((place) => (mayBeThought(place) ? { ...place, kind: "unclear" } : place));
  }

  /** Finds out which block a line belongs to; undefined for a blank line and for indented code. */
  private beginLine(at: number): Line | undefined {
    LINE_START.lastIndex = at;
    const [start = "", space = "", markers = ""] = LINE_START.exec(this.text) ?? [];
    const first = at + start.length;
    const character = this.text[first] ?? "\n";
    if (character === "\n" && markers === "") {
      // The rest of a thought's last line is no blank line.
      this.isBehindBlank ||= this.text[at - 1] !== ">";
      return undefined;
    }
    const isInList = this.block === "list" && space !== "";
    if (this.isBehindBlank && !isInList) this.block = "none";
    this.isBehindBlank = false;
    const isDeep = space.length > 3 || space.includes("\t");
    if (this.block === "none" && isDeep) return undefined;
    if (!isInList) this.block = this.blockAt(first, markers);
    // A quote or table is text, but a thought can begin there.
    if (character === ">" || character === "|") this.doneUntil = this.lineEnd(first);
    return { first, indent: start, isDeep };
  }

  /** The block that begins at a line; another line goes on with the block of the line before. */
  private blockAt(first: number, markers: string): "text" | "quote" | "list" | "tags" {
    const { text } = this;
    if (this.block === "tags") return "tags";
    if (markers !== "") return "list";
    if (text[first] === ">" || text[first] === "|" || isAt(TABLE_RULE, text, first)) return "quote";
    if (isAt(TAG, text, first) && this.hidden.nextTag(first) !== first) return "tags";
    return this.block === "none" ? "text" : this.block;
  }

  /** Takes a line, with the fence, the objects or the hidden part that begins there. Returns where the next line begins. */
  private *takeLine(line: Line): Sliced<number> {
    const { first, isDeep } = line;
    const character = this.text[first];
    const isFence = (character === "`" || character === "~") && (!isDeep || this.block === "list");
    const fence = isFence ? yield* readFence(this.text, first, line.indent) : undefined;
    if (fence !== undefined) return yield* this.takeFence(line, fence);
    if (character === "<" && !isDeep && isAt(OTHER_NOTATION, this.text, first)) {
      const end = this.text.length;
      this.add("notation", { start: first, end, jsonStart: end, contentEnd: end });
      return end;
    }
    if (character === "`" && this.isClear() && !isDeep && this.takeOneLineFence(first)) return this.lineEnd(first);
    const mayBeObject = character === "{" && this.isClear() && !isDeep && !this.spans.isOpen(first, this.doneUntil);
    return yield* this.takeText(mayBeObject ? yield* this.takeObjects(first) : first, first);
  }

  private isClear(): boolean {
    return this.block === "text" && !this.hidden.hasUnclosed;
  }

  private *takeFence({ first, indent }: Line, { info, contentStart, contentEnd, end }: Fence): Sliced<number> {
    if (this.block === "quote" || (this.block === "list" && indent === "")) this.block = "text";
    this.doneUntil = first;
    if (mayHoldCall(info)) {
      const envelope = yield* this.findEnvelope(first, this.isClear() ? contentStart : contentEnd);
      if (envelope !== -1) this.add("unclear", { start: envelope, end, jsonStart: envelope, contentEnd: end });
      else if (this.isClear()) this.add("call", { start: first, end, jsonStart: contentStart, contentEnd });
    }
    this.doneUntil = end;
    return end;
  }

  private takeOneLineFence(first: number): boolean {
    const fence = oneLineFence(this.text.slice(first, this.lineEnd(first)).trimEnd());
    if (fence === undefined) return false;
    const { jsonStart, contentEnd, end } = fence;
    this.add("call", { start: first, end: first + end, jsonStart: first + jsonStart, contentEnd: first + contentEnd });
    return true;
  }

  /** Takes the objects at the beginning of a line; returns the offset behind them. One that cannot be read is text, if it begins as no envelope. */
  private *takeObjects(first: number): Sliced<number> {
    let at = first;
    while (this.text[at] === "{") {
      const isEnvelope = beginsEnvelope(this.text, at);
      if (at < this.failedUntil && !isEnvelope) break;
      const objectEnd = yield* this.readObject(at, isEnvelope ? "envelope" : "none");
      if (objectEnd === undefined && !isEnvelope) break;
      const end = objectEnd ?? this.text.length;
      this.add("call", { start: at, end, jsonStart: at, contentEnd: end });
      SPACE.lastIndex = end;
      at = end + (SPACE.exec(this.text)?.[0].length ?? 0);
      yield;
    }
    return at;
  }

  /** Takes the rest of a line: an envelope there is unclear, and what tags hide is text. Returns where the next line begins. */
  private *takeText(start: number, lineStart: number): Sliced<number> {
    for (let [from, pausedAt] = [start, start]; ; ) {
      const [end, tag] = [this.lineEnd(from), this.hidden.nextTag(from)];
      const to = Math.min(end, tag);
      from = yield* this.takeEnvelope(from, to);
      if (from === to) {
        if (tag >= end) return end;
        const hiddenEnd = this.hidden.endOf(tag, tag === lineStart && this.isClear() && !this.spans.isOpen(tag, this.doneUntil));
        this.doneUntil = Math.max(this.doneUntil, hiddenEnd ?? 0);
        if (hiddenEnd !== undefined && tag === lineStart && isAt(THOUGHT, this.text, tag)) return hiddenEnd;
        from = hiddenEnd ?? tag + 1;
      }
      if (from - pausedAt < SLICE) continue;
      pausedAt = from;
      yield;
    }
  }

  /** Adds an envelope between two offsets as unclear; returns the offset behind its JSON, if that is further. */
  private *takeEnvelope(from: number, to: number): Sliced<number> {
    const start = yield* this.findEnvelope(from, to);
    if (start === -1) return to;
    const objectEnd = start < this.failedUntil ? undefined : yield* this.readObject(start, "envelope");
    const end = Math.max(to, objectEnd ?? to);
    this.add("unclear", { start, end, jsonStart: start, contentEnd: this.text.length });
    return end;
  }

  /** The first envelope whose key stands between two offsets, or -1. */
  private *findEnvelope(from: number, to: number): Sliced<number> {
    for (let word = this.words.at(from), pausedAt = from; word < to; word = this.words.at(word + 1)) {
      const start = envelopeAround(this.text, word, { from: Math.max(this.doneUntil, this.quotedKey), to, keys: "any" });
      if (start !== -1 && !this.spans.covers(start, this.doneUntil)) return start;
      if (start !== -1) this.quotedKey = word;
      if (word - pausedAt < SLICE / 16) continue;
      pausedAt = word;
      yield;
    }
    return -1;
  }

  /** The offset behind an object; undefined if it cannot be read. */
  private *readObject(start: number, forgiveness: "none" | "envelope"): Sliced<number | undefined> {
    const reading = yield* readJson(this.text, start, forgiveness);
    this.work.spend(reading.end - start);
    if (reading.kind === "value") return reading.end;
    this.failedUntil = reading.end;
    return undefined;
  }

  private lineEnd(at: number): number {
    return Math.min(this.text.length, this.newlines.at(at) + 1);
  }

  private add(kind: CallPlace["kind"], place: Omit<CallPlace, "kind">): void {
    if (this.places.length >= MOST_PLACES) throw new RangeError("The answer has too many places for tool calls.");
    this.places.push({ kind, ...place });
    this.doneUntil = place.end;
  }
}

function isAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}
