import { NextIndex, SLICE, type Sliced } from "../slices.ts";

/** The code spans and HTML comments in a part of a text. Code spans of three and more backticks quote tags, but not calls. */
export type QuotedSpans = {
  /** True if a call at this offset of the text is quoted. */
  covers(index: number): boolean;
  /** True if a tag at this offset of the text is quoted. */
  coversTag(index: number): boolean;
  /** The text between two offsets, with a space for each character that would be quoted in a call. */
  blank(from: number, to: number): string;
};

type Span = { readonly start: number; readonly end: number; readonly isLong: boolean };

export function* findQuotedSpans(text: string, start: number, end: number): Sliced<QuotedSpans> {
  const part = text.slice(start, end);
  const backticks = yield* findBackticks(part);
  const commentEnd = new NextIndex(part, "-->");
  const spans: Span[] = [];
  const special = /\\|`+|<!--/g;
  let pausedAt = 0;
  for (let match = special.exec(part); match !== null; match = special.exec(part)) {
    const { 0: word, index } = match;
    const close = word === "\\" ? index + 2 : word === "<!--" ? commentEnd.at(index + 4) + 3 : closeOf(backticks, word, index);
    if (close !== undefined && close <= part.length) {
      special.lastIndex = close;
      if (word !== "\\") spans.push({ start: start + index, end: start + close, isLong: word.startsWith("```") });
    }
    if (index - pausedAt < SLICE) continue;
    pausedAt = index;
    yield;
  }
  return toQuotedSpans(text, spans);
}

/** The offsets of all runs of backticks, by the length of the run, from the last to the first. */
type Backticks = ReadonlyMap<number, number[]>;

function* findBackticks(part: string): Sliced<Backticks> {
  const runs = new Map<number, number[]>();
  const run = /`+/g;
  let pausedAt = 0;
  for (let match = run.exec(part); match !== null; match = run.exec(part)) {
    const { length } = match[0];
    const known = runs.get(length);
    if (known === undefined) runs.set(length, [match.index]);
    else known.push(match.index);
    if (match.index - pausedAt < SLICE) continue;
    pausedAt = match.index;
    yield;
  }
  for (const known of runs.values()) known.reverse();
  return runs;
}

/** The offset behind the run that closes the code span at `index`. Runs before it are removed: the search only goes forward. */
function closeOf(backticks: Backticks, run: string, index: number): number | undefined {
  const offsets = backticks.get(run.length) ?? [];
  while ((offsets.at(-1) ?? Number.POSITIVE_INFINITY) <= index) offsets.pop();
  const close = offsets.at(-1);
  return close === undefined ? undefined : close + run.length;
}

function toQuotedSpans(text: string, spans: readonly Span[]): QuotedSpans {
  const spanAt = (index: number): Span | undefined => {
    const span = spans[firstBehind(spans, index)];
    return span === undefined || span.start > index ? undefined : span;
  };
  return {
    covers: (index) => spanAt(index)?.isLong === false,
    coversTag: (index) => spanAt(index) !== undefined,
    blank(from, to) {
      const pieces: string[] = [];
      let at = from;
      for (let number = firstBehind(spans, from); number < spans.length; number += 1) {
        const { start = to, end = to, isLong = true } = spans[number] ?? {};
        if (start >= to) break;
        if (isLong) continue;
        const [quotedFrom, quotedTo] = [Math.max(start, from), Math.min(end, to)];
        pieces.push(text.slice(at, quotedFrom), " ".repeat(quotedTo - quotedFrom));
        at = quotedTo;
      }
      return pieces.join("") + text.slice(at, to);
    },
  };
}

function firstBehind(spans: readonly Span[], index: number): number {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.end ?? 0) > index) high = middle;
    else low = middle + 1;
  }
  return low;
}
