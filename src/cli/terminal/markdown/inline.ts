import type { Colors } from "../screen.ts";
import { breakableLength, type Span } from "./word-flow.ts";

/** Longer texts are shown as they are, so that the time for one line has a bound. */
const LONGEST = 4000;

export type Inline = { readonly spans: readonly Span[]; readonly length: number };

type Style = (text: string) => string;
type Spans = (style: Style) => readonly Span[];

/** A part of a text that is shown without its marks, or a mark alone, which switches bold on or off. */
type Mark = { readonly from: number; readonly to: number; readonly spans?: Spans };

/** Backticks, stars, a whole link, and the beginning of one that later text could complete. */
const MARKS = /`+|\*{2,3}|!?\[([^[\]]*)\]\(([^()\s]*(?:\([^()\s]*\)[^()\s]*)*)\)|!?\[(?=[^[\]]*(?:\](?:\(\S*)?)?$)/g;

/**
 * Reads bold text, code and links. Unless the text is complete, it stops at the last place before an open mark where a line may be
 * broken, because what follows decides the meaning of the mark.
 */
export function readInline(text: string, colors: Colors, isComplete: boolean): Inline {
  if (!colors.isColorSupported || text.length > LONGEST) return { spans: [{ text }], length: text.length };
  const { marks, open } = findMarks(text, colors, isComplete);
  const certain = isComplete || open === undefined ? text.length : breakableLength(text.slice(0, open));
  return { spans: toSpans(text.slice(0, certain), marks, colors), length: certain };
}

type Found = { readonly marks: readonly Mark[]; readonly open: number | undefined };

/** The marks in their order, and the place of the first one that later text can still close. */
function findMarks(text: string, colors: Colors, isComplete: boolean): Found {
  const marks: Mark[] = [];
  const codeEnds = findCodeEnds(text);
  let bold: Mark | undefined;
  let open: number | undefined;
  let done = 0;
  for (const { 0: token, 1: label, 2: address = "", index } of text.matchAll(MARKS)) {
    const to = index + token.length;
    const codeEnd = codeEnds.get(index);
    if (index < done) continue;
    if (codeEnd !== undefined) {
      done = codeEnd + token.length;
      marks.push({ from: index, to: done, spans: code(text.slice(to, codeEnd), colors) });
    } else if (label !== undefined) {
      done = to;
      marks.push({ from: index, to, spans: link(label, address, colors) });
    } else if (!token.startsWith("*")) {
      if (isComplete) continue;
      // What follows decides whether there are other marks behind this one.
      open = index;
      break;
    } else if (bold !== undefined && closesBold(text[index - 1] ?? " ", text[to] ?? " ")) {
      marks.push(bold, { from: to - 2, to });
      bold = undefined;
    } else if (opensBold(text[index - 1] ?? " ", text[to] ?? " ")) {
      bold = { from: index, to: index + 2 };
    }
  }
  return { marks: marks.toSorted((one, other) => one.from - other.from), open: bold?.from ?? open };
}

/** Code ends at the next run of backticks with the same length. */
function findCodeEnds(text: string): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  const next = new Map<number, number>();
  for (const { 0: run, index } of [...text.matchAll(/`+/g)].reverse()) {
    const end = next.get(run.length);
    if (end !== undefined) ends.set(index, end);
    next.set(run.length, index);
  }
  return ends;
}

/** East Asian punctuation counts as a letter: no blank follows it, and `**词：**词` must close. */
const LETTER = /[\p{L}\p{N}\u3000-\u303f\uff00-\uffef]/u;
const BEFORE_PHRASE = /[\s\p{Ps}\p{Pi}"']/u;
/** Letters without case are those of scripts in which a word may follow another without a blank. */
const AFTER_PHRASE = /[\s\p{Lo}]|[^\P{P}/*]/u;

/** Neither in a word (`2**3`) nor in a file pattern (`src/**`). */
function opensBold(before: string, after: string): boolean {
  return !/\w/.test(before) && (LETTER.test(after) || (/[^\s/]/.test(after) && BEFORE_PHRASE.test(before)));
}

function closesBold(before: string, after: string): boolean {
  return LETTER.test(before) || (/\S/.test(before) && AFTER_PHRASE.test(after));
}

/** One blank on both sides only separates code from its marks. */
function code(text: string, { cyan }: Colors): Spans {
  const inner = text.startsWith(" ") && text.endsWith(" ") && text.trim() !== "" ? text.slice(1, -1) : text;
  return (style) => [{ text: inner, style: (shown) => style(cyan(shown)) }];
}

function link(label: string, address: string, colors: Colors): Spans {
  return (style) => [
    ...toSpans(label, findMarks(label, colors, true).marks, colors, (text) => style(colors.underline(text))),
    ...(address === "" || address === label ? [] : [{ text: ` (${address})`, style: colors.dim }]),
  ];
}

function toSpans(text: string, marks: readonly Mark[], colors: Colors, plain: Style = (same) => same): readonly Span[] {
  const strong: Style = (shown) => plain(colors.bold(shown));
  const spans: Span[] = [];
  let [at, style] = [0, plain];
  for (const { from, to, spans: shown } of marks) {
    if (from >= text.length) break;
    spans.push({ text: text.slice(at, from), style });
    if (shown !== undefined) spans.push(...shown(style));
    else style = style === plain ? strong : plain;
    at = to;
  }
  return [...spans, { text: text.slice(at), style }];
}
