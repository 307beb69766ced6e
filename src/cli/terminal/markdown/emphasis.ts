/** Two marks that belong together: where the second begins, and how long each is. */
export type Pair = { readonly end: number; readonly length: number };

/** The pairs of a text by the place of the first mark, and the places of marks that later text can still close. */
export type Emphasis = { readonly pairs: ReadonlyMap<number, Pair>; readonly open: ReadonlySet<number> };

type Run = { readonly mark: string; readonly whole: number; at: number; length: number; opens: boolean; closes: boolean };

const TOKENS = /\\[!-/:-@[-`{-~]|`+|\*+|_+|~+/g;
const LONGEST_RUN = 3;

/**
 * Finds the marks of emphasis by the rules of CommonMark. Marks in code and after a backslash are text. Unless the text is complete,
 * it stops at code that is still open, because what follows decides which marks are in it.
 */
export function findEmphasis(text: string, codeEnds: ReadonlyMap<number, number>, isComplete: boolean): Emphasis {
  const matcher = new MarkMatcher();
  let codeEnd = 0;
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    if (index < codeEnd || token.startsWith("\\")) continue;
    if (token.startsWith("`")) {
      const end = codeEnds.get(index);
      if (end !== undefined) codeEnd = end + token.length;
      else if (!isComplete) break;
    } else if (token.startsWith("~") ? token.length === 2 : token.length <= LONGEST_RUN) {
      matcher.add(toRun(text, index, token));
    }
  }
  return { pairs: matcher.pairs, open: matcher.open() };
}

/** Matches each closing mark with the nearest opening one. */
class MarkMatcher {
  readonly pairs = new Map<number, Pair>();
  private readonly openers: Run[] = [];
  /** Before these places no mark can be opened for a closing mark of that kind: the search is not repeated. */
  private readonly searchedUntil = new Map<string, number>();

  add(run: Run): void {
    if (run.closes) this.close(run);
    if (run.opens && run.length > 0) this.openers.push(run);
  }

  open(): ReadonlySet<number> {
    return new Set(this.openers.map(({ at }) => at));
  }

  private close(run: Run): void {
    while (run.length > 0) {
      const opener = this.takeOpener(run);
      if (opener === undefined) return;
      const length = Math.min(2, opener.length, run.length);
      opener.length -= length;
      this.pairs.set(opener.at + opener.length, { end: run.at, length });
      run.at += length;
      run.length -= length;
      if (opener.length === 0) this.openers.pop();
    }
  }

  /** The opening mark of a closing one; the marks between them become text. */
  private takeOpener(run: Run): Run | undefined {
    const kind = `${run.mark}${run.opens}${run.whole}`;
    const from = this.searchedUntil.get(kind) ?? 0;
    for (let place = this.openers.length - 1; place >= 0; place -= 1) {
      const opener = this.openers[place];
      if (opener === undefined || opener.at < from) break;
      if (opener.mark !== run.mark || !canMatch(opener, run)) continue;
      this.openers.length = place + 1;
      return opener;
    }
    this.searchedUntil.set(kind, run.at);
    return undefined;
  }
}

/** CommonMark's rule for marks that could both open and close: `*a**b*` is one emphasis. */
function canMatch(opener: Run, closer: Run): boolean {
  if (!opener.closes && !closer.opens) return true;
  return (opener.whole + closer.whole) % 3 !== 0 || opener.whole % 3 === 0;
}

const PUNCTUATION = /[\p{P}$+<=>^`|~]/u;
/** It counts as a letter: no blank follows it, and `**词：**词` must close. */
const EAST_ASIAN_PUNCTUATION = /[\u3000-\u303f\uff00-\uffef]/;
/** In these scripts words follow each other, or a particle follows a word, without a blank. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const OPENING_BRACKET = /\p{Ps}/u;
const CLOSING_BRACKET = /\p{Pe}/u;
const QUOTE = /["'\p{Pi}\p{Pf}]/u;
const ENDS_PHRASE = /[.,;:!?…]/;

function toRun(text: string, at: number, token: string): Run {
  const mark = token[0] ?? "";
  const before = text[at - 1] ?? " ";
  const after = text[at + token.length] ?? " ";
  const isLeft = flanks(after, before);
  const isRight = flanks(before, after);
  // A file name goes on after the dot: `*.ts`, `__init__.py`.
  const inFileName = after === "." && /\w/.test(text[at + token.length + 1] ?? "");
  const opens = isLeft && opensBetween(before, after) && !(isRight && isInWord(token, before, after));
  const closes = isRight && closesBetween(before, after, inFileName) && !(inFileName && token !== "**");
  const isIntraword = mark === "_" && isLeft && isRight;
  return {
    mark,
    whole: token.length,
    at,
    length: token.length,
    opens: opens && (!isIntraword || PUNCTUATION.test(before)),
    closes: closes && (!isIntraword || PUNCTUATION.test(after)),
  };
}

/** True if a mark touches the text on this side: by CommonMark's rule, punctuation there counts only if no word is on the other. */
function flanks(side: string, other: string): boolean {
  if (/\s/.test(side)) return false;
  return !isPunctuation(side) || /\s/.test(other) || isPunctuation(other) || UNSPACED.test(other);
}

function isPunctuation(character: string): boolean {
  return PUNCTUATION.test(character) && !EAST_ASIAN_PUNCTUATION.test(character);
}

/** One star between letters or digits is a product: `2*3*4`. CommonMark reads an emphasis there and would hide the stars. */
function isInWord(token: string, before: string, after: string): boolean {
  return token === "*" && /\w/.test(before) && /\w/.test(after);
}

/**
 * Between two punctuation marks CommonMark lets a mark open and close, which would hide the stars of `src/*.ts, (*.md)` and `"*"`. Here
 * it opens only after a bracket or a quotation mark, and never before what ends a phrase.
 */
function opensBetween(before: string, after: string): boolean {
  if (CLOSING_BRACKET.test(after)) return false;
  if (!isPunctuation(before) || !isPunctuation(after)) return true;
  if (QUOTE.test(before)) return !QUOTE.test(after);
  return OPENING_BRACKET.test(before) && !/[,;:!?]/.test(after);
}

/** As `opensBetween`, for a closing mark: it stands before a bracket, a quotation mark or the end of a phrase. */
function closesBetween(before: string, after: string, inFileName: boolean): boolean {
  if (OPENING_BRACKET.test(before)) return false;
  if (!isPunctuation(before) || !isPunctuation(after)) return true;
  if (QUOTE.test(after)) return !QUOTE.test(before);
  return CLOSING_BRACKET.test(after) || (ENDS_PHRASE.test(after) && !inFileName);
}
