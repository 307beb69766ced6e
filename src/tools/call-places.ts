import { beginsEnvelope, envelopeAround } from "./envelope-start.ts";
import { mayHoldCall, oneLineFence } from "./fence-words.ts";
import { type Block, nextBlock } from "./markdown/blocks.ts";
import { lineEndOf } from "./markdown/lines.ts";
import { interruptsParagraph } from "./markdown/paragraphs.ts";
import { withPlainLineEnds } from "./markdown/plain-line-ends.ts";
import { findQuotedSpans, type QuotedSpans } from "./markdown/quoted-spans.ts";
import { NextIndex } from "./next-index.ts";
import { type JsonReading, readJson } from "./read-json.ts";
import { SLICE, type Sliced } from "./slices.ts";
import { ThinkingTags } from "./thinking-tags.ts";
import { WorkLimit } from "./work-limit.ts";

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

const OTHER_NOTATION = /^ {0,3}<(?:tool_call|function_calls|invoke)\b/i;
const THINKING = /^ {0,3}<think(?:ing)?\b[^<>\n]{0,60}>/i;
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
  private readonly thinking: ThinkingTags;
  private readonly work: WorkLimit;
  /** Parsing an object failed up to here, so objects that begin before it are skipped. */
  private failedUntil = 0;
  private block: Block = { kind: "plain", start: 0, end: 0 };
  private blockSpans: QuotedSpans | undefined;

  constructor(text: string) {
    this.text = text;
    this.words = new NextIndex(this.text, "tool_calls");
    this.thinking = new ThinkingTags(this.text);
    this.work = new WorkLimit(this.text);
  }

  *run(): Sliced<void> {
    let [at, pausedAt] = [0, 0];
    while (at < this.text.length) {
      this.block = yield* nextBlock(this.text, at);
      this.blockSpans = undefined;
      at = yield* this.visit(this.block);
      if (at - pausedAt < SLICE) continue;
      pausedAt = at;
      yield;
    }
  }

  result(): readonly CallPlace[] {
    const isThought = ({ kind, start }: CallPlace): boolean => kind === "call" && this.thinking.mayCover(start);
    return this.places.map((place) => (isThought(place) ? { ...place, kind: "unclear" } : place));
  }

  /** Adds the places of one block; returns where to continue, normally at its end. */
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
      case "html":
        return yield* this.visitHtml(block);
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
      if (at >= lineEnd) lineEnd = Math.min(end, lineEndOf(this.text, at));
      at = yield* this.visitLine(at, lineEnd);
      if (at < end && this.text[at - 1] === ">" && this.beginsBlock(at)) return at;
      if (at - pausedAt < SLICE) continue;
      pausedAt = at;
      yield;
    }
    return at;
  }

  /** True if another block begins at this offset, behind a thought. The block that ends here is read again, which is limited. */
  private beginsBlock(at: number): boolean {
    if (!interruptsParagraph(this.text, at, lineEndOf(this.text, at))) return false;
    this.work.spend(this.block.end - at);
    return true;
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
    if (character === "{" && !(yield* this.spans()).covers(first)) return yield* this.visitBareJson(first, end);
    const isTag = character === "<" && !(yield* this.spans()).coversTag(first);
    const behindTag = isTag ? this.visitTag(start) : undefined;
    if (behindTag !== undefined) return behindTag;
    const thought = yield* this.thinking.findThought(start, end, () => this.spans());
    const next = yield* this.visitInner(start, thought?.start ?? end);
    return thought === undefined ? next : yield* this.visitRest(thought.end);
  }

  /** Adds an envelope within a line as unclear; returns where to continue: behind its JSON, if that can be read. */
  private *visitInner(start: number, end: number): Sliced<number> {
    const jsonStart = yield* this.findEnvelope(start, end, "any");
    if (jsonStart === -1) return end;
    this.add("unclear", { start: jsonStart, end, jsonStart, contentEnd: this.text.length });
    if (jsonStart < this.failedUntil) return end;
    const reading = yield* this.readAt(jsonStart);
    if (reading.kind !== "value") this.failedUntil = reading.end;
    return reading.kind === "value" ? Math.max(end, reading.end) : end;
  }

  /** Visits the rest of a line behind a thought in its middle. */
  private *visitRest(at: number): Sliced<number> {
    const end = lineEndOf(this.text, at);
    return yield* this.visitInner(at, end);
  }

  /** An object that is not an envelope is text, and its content is skipped. */
  private *visitBareJson(jsonStart: number, lineEnd: number): Sliced<number> {
    const isEnvelope = beginsEnvelope(this.text, jsonStart);
    if (jsonStart < this.failedUntil && !isEnvelope) return lineEnd;
    const reading = yield* this.readAt(jsonStart);
    if (reading.kind === "value") {
      this.add("call", { start: jsonStart, end: reading.end, jsonStart, contentEnd: reading.end });
      return reading.end;
    }
    this.failedUntil = reading.end;
    if (!isEnvelope) return lineEnd;
    this.add("call", { start: jsonStart, end: this.text.length, jsonStart, contentEnd: this.text.length });
    return this.text.length;
  }

  /** In a block of tags a call is unclear. After a closing tag Markdown continues. */
  private *visitHtml(block: Block): Sliced<number> {
    const behind = this.visitTag(block.start);
    if (behind !== undefined) return behind;
    const isClosing = this.text.startsWith("</", firstIn(this.text, block.start));
    return yield* this.visitContainer(isClosing ? { ...block, end: lineEndOf(this.text, block.start) } : block);
  }

  /** A quote or table is text. In other blocks a call is unclear. */
  private *visitContainer({ kind, start, end }: Block): Sliced<number> {
    const thought = yield* this.thinking.findThought(start, end, () => this.spans());
    const isQuoted = kind === "quote" || kind === "table";
    const jsonStart = isQuoted ? -1 : yield* this.findEnvelope(start, thought?.start ?? end, "any");
    if (jsonStart !== -1) this.add("unclear", { start: jsonStart, end, jsonStart, contentEnd: end });
    if (thought === undefined) return end;
    return isQuoted ? lineEndOf(this.text, thought.end) : yield* this.visitRest(thought.end);
  }

  /** At a line's start, a call in another notation extends to the end of the answer, and thoughts are skipped. */
  private visitTag(start: number): number | undefined {
    const head = this.text.slice(start, start + 100);
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

  /** The quoted spans of the block that is being visited. */
  private *spans(): Sliced<QuotedSpans> {
    this.blockSpans ??= yield* findQuotedSpans(this.text, this.block.start, this.block.end);
    return this.blockSpans;
  }

  private *readAt(jsonStart: number): Sliced<JsonReading> {
    const reading = yield* readJson(this.text, jsonStart, "envelope");
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
