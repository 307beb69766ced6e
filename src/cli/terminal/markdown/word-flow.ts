import { breakAtWidth, textWidth } from "../text-width.ts";

export type Span = { readonly text: string; readonly style?: (text: string) => string };

export type Indent = { readonly first: string; readonly rest: string };

/** East Asian text has no blanks between words: a line may be broken at each of its characters. */
const LOOSE = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}";
const OPENING = "「『（〈《【〔";
const CLOSING = "、。，．・：；！？」』）〉》】〕ー々";
const ATOMS = new RegExp(`\\s+|[${OPENING}]*[${LOOSE}][${CLOSING}]*|[^\\s${LOOSE}${OPENING}]+|[${OPENING}]+`, "gu");
const HAS_LOOSE = new RegExp(`[${LOOSE}]`, "u");
const BEGINS_CLOSING = new RegExp(`^[${CLOSING}.,;:!?)]`, "u");
const BREAKABLE = new RegExp(`^[\\s\\S]*(?:\\s|[${LOOSE}][${CLOSING}]*(?=[${LOOSE}]))`, "u");

export function breakableLength(text: string): number {
  return BREAKABLE.exec(text)?.[0].length ?? 0;
}

/** Something that is not broken, in one or several styles; blanks have no pieces. */
type Word = { pieces: Span[]; width: number; blanks: number; isLoose: boolean };

/** Wraps the words of one block while they arrive: what it has returned stands on the terminal and is never changed. */
export class WordFlow {
  private readonly width: number;
  private readonly indent: Indent;
  private readonly breaksWords: boolean;
  private column = 0;
  private hasBegun = false;
  /** Blanks at the end of the last words; they are printed if the next word stands on the same line. */
  private blanks = 0;

  constructor(width: number, indent: Indent, breaksWords = false) {
    this.width = width;
    this.indent = indent;
    this.breaksWords = breaksWords;
  }

  /** The output for the next words; a word must be complete. */
  add(spans: readonly Span[]): string {
    return wordsOf(spans)
      .flatMap((word) => (this.breaksWords && word.width > this.room() ? breakWord(word, this.room()) : [word]))
      .map((word) => this.place(word))
      .join("");
  }

  private place({ pieces, width, blanks }: Word): string {
    const between = this.blanks;
    this.blanks = blanks;
    if (pieces.length === 0) {
      this.blanks += between;
      return "";
    }
    const before = this.before(between, width);
    this.column += width;
    return before + pieces.map(({ text, style = (same) => same }) => style(text)).join("");
  }

  private before(blanks: number, width: number): string {
    const { first, rest } = this.indent;
    if (!this.hasBegun) {
      this.hasBegun = true;
      this.column = textWidth(first);
      return first;
    }
    if (this.column + blanks + width > this.width && this.column > textWidth(rest)) {
      this.column = textWidth(rest);
      return `\n${rest}`;
    }
    this.column += blanks;
    return " ".repeat(blanks);
  }

  private room(): number {
    return Math.max(2, this.width - textWidth(this.indent.rest));
  }
}

/** The spans as lines of at most this many columns. */
export function wrapSpans(spans: readonly Span[], width: number): readonly string[] {
  return new WordFlow(width, { first: "", rest: "" }, true).add(spans).split("\n");
}

/** The words of the spans; a word may continue in the next span, as in `**bold**,`. Each has the blanks that follow it. */
function wordsOf(spans: readonly Span[]): readonly Word[] {
  const words: Word[] = [];
  for (const { text, style } of spans) {
    for (const atom of text.match(ATOMS) ?? []) {
      const last = words.at(-1);
      const piece = { text: atom, ...(style !== undefined && { style }) };
      const isLoose = HAS_LOOSE.test(atom);
      if (atom.trim() === "") {
        if (last === undefined) words.push({ pieces: [], width: 0, blanks: atom.length, isLoose });
        else last.blanks += atom.length;
      } else if (last !== undefined && last.pieces.length > 0 && last.blanks === 0 && isJoined(last, atom, isLoose)) {
        last.pieces.push(piece);
        last.width += textWidth(atom);
        last.isLoose = isLoose;
      } else words.push({ pieces: [piece], width: textWidth(atom), blanks: 0, isLoose });
    }
  }
  return words;
}

function isJoined(last: Word, atom: string, isLoose: boolean): boolean {
  return BEGINS_CLOSING.test(atom) || (!isLoose && !last.isLoose);
}

function breakWord({ pieces, blanks }: Word, width: number): readonly Word[] {
  const parts = pieces.flatMap(({ text, ...style }) =>
    breakAtWidth(text, width).map((part) => ({
      pieces: [{ text: part, ...style }],
      width: textWidth(part),
      blanks: 0,
      isLoose: true,
    })),
  );
  return parts.map((part, index) => (index === parts.length - 1 ? { ...part, blanks } : part));
}
