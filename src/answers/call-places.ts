import { beginsEnvelope, envelopeAround, mayHoldCall, OTHER_NOTATIONS, oneLineFence } from "./call-starts.ts";
import { type Block, interruptsParagraph, nextBlock } from "./markdown/blocks.ts";
import { withPlainLineEnds } from "./markdown/lines.ts";
import { findQuotedSpans, type QuotedSpans } from "./markdown/quoted-spans.ts";
import { type Forgiveness, type JsonReading, readJson } from "./read-json.ts";
import { NextIndex, SLICE, type Sliced, WorkLimit } from "./slices.ts";
import { OPENING_TAG, ThinkingTags } from "./thinking-tags.ts";

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

const OTHER_NOTATION = new RegExp(`^ {0,3}(?:${OTHER_NOTATIONS.join("|")})\\b`, "i");
const THINKING = new RegExp(`^ {0,3}${OPENING_TAG.source}`, "i");
/** An answer with more places than this was made to be slow to read. */
const MOST_PLACES = 10_000;

/**
 * Finds the places of an answer that may hold tool calls, in order, by its Markdown block structure, in time that grows with its
 * length. Throws a RangeError when the answer takes too much work.
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
  private readonly thinking: ThinkingTags;
  private readonly work: WorkLimit;
  /** Parsing an object failed up to here, so objects that begin before it are skipped. */
  private failedUntil = 0;
  private block: Block = { kind: "plain", start: 0, end: 0 };
  private blockSpans: QuotedSpans | undefined;

  constructor(text: string) {
    this.text = text;
    this.words = new NextIndex(this.text, "tool_calls");
    this.newlines = new NextIndex(this.text, "\n");
    this.thinking = new ThinkingTags(this.text);
    this.work = new WorkLimit(this.text);
  }

  *run(): Sliced<void> {
    let [at, read] = [0, 0];
    while (at < this.text.length) {
      this.block = yield* nextBlock(this.text, at);
      this.blockSpans = undefined;
      at = yield* this.visit(this.block);
      // The rest of a block that a thought has divided is read again.
      if (at < this.block.end) this.work.spend(this.block.end - at);
      read += this.block.end - this.block.start;
      if (read < SLICE) continue;
      read = 0;
      yield;
    }
  }

  result(): readonly CallPlace[] {
    const isThought = ({ kind, start }: CallPlace): boolean => kind === "call" && this.thinking.mayCover(start);
    return this.places.map((place) => (isThought(place) ? { ...place, kind: "unclear" } : place));
  }

  /** Returns where to continue, normally at the end of the block. */
  private *visit(block: Block): Sliced<number> {
    switch (block.kind) {
      case "plain":
      case "verbatim":
        return block.end;
      case "fence":
        yield* this.visitFence(block);
        return block.end;
      case "paragraph":
        return yield* this.visitLines(block);
      default:
        return yield* this.visitContainer(block);
    }
  }

  private *visitFence({ start, end, info, contentStart, contentEnd }: Block & { readonly kind: "fence" }): Sliced<void> {
    if (!mayHoldCall(info)) return;
    const inInfo = yield* this.findEnvelope(start, contentStart, "first");
    if (inInfo !== -1) return this.add("unclear", { start: inInfo, end, jsonStart: inInfo, contentEnd: end });
    this.add("call", { start, end, jsonStart: contentStart, contentEnd });
  }

  /** Finds bare JSON and one-line fences at the start of a line, and envelopes within a line. */
  private *visitLines({ start, end }: Block): Sliced<number> {
    let [at, pausedAt, lineEnd] = [start, start, start];
    while (at < end) {
      if (at >= lineEnd) lineEnd = Math.min(end, this.lineEnd(at));
      at = yield* this.visitLine(at, lineEnd);
      // Behind a thought another block can begin within a line.
      if (at < end && this.text[at - 1] === ">" && interruptsParagraph(this.text, at, this.lineEnd(at))) return at;
      if (at - pausedAt < SLICE) continue;
      pausedAt = at;
      yield;
    }
    return at;
  }

  private *visitLine(start: number, end: number): Sliced<number> {
    const first = firstIn(this.text, start);
    const character = this.text[first];
    const fenced = character === "`" ? oneLineFence(this.text.slice(start, end).trimEnd()) : undefined;
    if (fenced !== undefined) {
      this.add("call", {
        start,
        end: start + fenced.end,
        jsonStart: start + fenced.jsonStart,
        contentEnd: start + fenced.contentEnd,
      });
      return end;
    }
    if (character === "{" && !(yield* this.spans()).covers(first)) {
      const behindJson = yield* this.visitBareJson(first);
      return behindJson ?? (yield* this.visitMiddle(start, end, "thoughts"));
    }
    const isTag = character === "<" && !(yield* this.spans()).coversTag(first);
    const behindTag = isTag ? this.visitTag(start) : undefined;
    return behindTag ?? (yield* this.visitMiddle(start, end, "envelopes"));
  }

  /** Looks for envelopes in a line, and passes over its thoughts; returns where to continue. */
  private *visitMiddle(start: number, end: number, wanted: "envelopes" | "thoughts"): Sliced<number> {
    for (let [from, lineEnd] = [start, end]; ; lineEnd = Math.max(lineEnd, this.lineEnd(from))) {
      const thought = yield* this.thinking.findThought(from, lineEnd, () => this.spans());
      const to = thought?.start ?? lineEnd;
      const next = wanted === "thoughts" ? to : yield* this.visitInner(from, to);
      if (thought === undefined) return next;
      from = thought.end;
      yield;
    }
  }

  /** Adds an envelope within a line as unclear; returns where to continue: behind its JSON, if that can be read. */
  private *visitInner(start: number, end: number): Sliced<number> {
    const jsonStart = yield* this.findEnvelope(start, end, "any");
    if (jsonStart === -1) return end;
    const reading = jsonStart < this.failedUntil ? undefined : yield* this.readAt(jsonStart, "envelope");
    const next = reading?.kind === "value" ? Math.max(end, reading.end) : end;
    if (reading !== undefined && reading.kind !== "value") this.failedUntil = reading.end;
    this.add("unclear", { start: jsonStart, end: next, jsonStart, contentEnd: this.text.length });
    return next;
  }

  /** Returns the offset behind an object; undefined if it cannot be read. One that is not an envelope is text, and is skipped. */
  private *visitBareJson(jsonStart: number): Sliced<number | undefined> {
    const isEnvelope = beginsEnvelope(this.text, jsonStart);
    if (jsonStart < this.failedUntil && !isEnvelope) return undefined;
    const reading = yield* this.readAt(jsonStart, isEnvelope ? "envelope" : "none");
    yield;
    if (reading.kind === "value") {
      this.add("call", { start: jsonStart, end: reading.end, jsonStart, contentEnd: reading.end });
      return reading.end;
    }
    this.failedUntil = reading.end;
    if (!isEnvelope) return undefined;
    this.add("call", { start: jsonStart, end: this.text.length, jsonStart, contentEnd: this.text.length });
    return this.text.length;
  }

  /** In a block of tags a call is unclear. A block quote or table is text. */
  private *visitContainer({ kind, start, end }: Block): Sliced<number> {
    const behindTag = kind === "html" ? this.visitTag(start) : undefined;
    if (behindTag !== undefined) return behindTag;
    for (let from = start; ; ) {
      const thought = yield* this.thinking.findThought(from, end, () => this.spans());
      const isQuoted = kind === "quote" || kind === "table";
      const jsonStart = isQuoted ? -1 : yield* this.findEnvelope(from, thought?.start ?? end, "any");
      if (jsonStart !== -1) this.add("unclear", { start: jsonStart, end, jsonStart, contentEnd: end });
      if (thought === undefined) return end;
      if (thought.end >= end)
        return yield* this.visitMiddle(thought.end, this.lineEnd(thought.end), isQuoted ? "thoughts" : "envelopes");
      from = thought.end;
      yield;
    }
  }

  /** At a line's start, a call in another notation extends to the end of the answer, and thoughts are skipped. */
  private visitTag(start: number): number | undefined {
    const head = this.text.slice(start, start + 400);
    const end = this.text.length;
    if (OTHER_NOTATION.test(head)) {
      this.add("notation", { start, end, jsonStart: end, contentEnd: end });
      return end;
    }
    return THINKING.test(head) ? (this.thinking.closeOf(start) ?? end) : undefined;
  }

  /** The first envelope between two offsets of the block, or -1; in a paragraph, what code spans and comments quote is left out. */
  private *findEnvelope(from: number, to: number, keys: "first" | "any"): Sliced<number> {
    for (let word = this.words.at(from), pausedAt = from; word < to; word = this.words.at(word + 1)) {
      const spans = this.block.kind === "paragraph" ? yield* this.spans() : undefined;
      const source = spans === undefined ? this.text : { slice: spans.blank };
      const found = envelopeAround(source, word, { from, to, keys });
      if (found !== -1) return found;
      if (word - pausedAt < SLICE / 16) continue;
      pausedAt = word;
      yield;
    }
    return -1;
  }

  private *spans(): Sliced<QuotedSpans> {
    this.blockSpans ??= yield* findQuotedSpans(this.text, this.block.start, this.block.end);
    return this.blockSpans;
  }

  private lineEnd(at: number): number {
    return Math.min(this.text.length, this.newlines.at(at) + 1);
  }

  private *readAt(jsonStart: number, forgiveness: Forgiveness): Sliced<JsonReading> {
    const reading = yield* readJson(this.text, jsonStart, forgiveness);
    this.work.spend(reading.end - jsonStart);
    return reading;
  }

  private add(kind: CallPlace["kind"], place: Omit<CallPlace, "kind">): void {
    if (this.places.length >= MOST_PLACES) throw new RangeError("The answer has too many places for tool calls.");
    this.places.push({ kind, ...place });
  }
}

/** The offset of a line's first character behind at most three spaces. */
function firstIn(text: string, start: number): number {
  let at = start;
  while (at < start + 3 && text[at] === " ") at += 1;
  return at;
}
