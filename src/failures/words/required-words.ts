/** Texts in lower case, of which every match of a pattern contains at least one; undefined if nothing is known about the matches. */
export type RequiredWords = readonly string[] | undefined;

/** A part of a pattern: characters that every match has at this place (none for an assertion), or the words of a group or class. */
type Atom = { readonly literal: string } | { readonly words: RequiredWords };

const NOTHING_KNOWN: Atom = { words: undefined };
const ASSERTION: Atom = { literal: "" };
/** Characters that mean themselves, without one that has a quantifier. */
const PLAIN = /[^\\^$.*+?()[\]{}|]+(?![*+?{])/y;
const QUANTIFIER = /(?:[*+?]|\{(\d+)(?:,\d*)?\})\??/y;
const GROUP = /\((?:\?(?::|(<?[=!])|<\w+>))?/y;

/** Finds the required words of a pattern. It does not know control characters (`\cX`) and what only the flags `u` and `v` allow. */
export function requiredWords({ source }: RegExp): RequiredWords {
  return new PatternReader(source).alternatives();
}

class PatternReader {
  private readonly source: string;
  private at = 0;

  constructor(source: string) {
    this.source = source;
  }

  /** A match has the words of one alternative, so that all of them are needed. */
  alternatives(): RequiredWords {
    let words: RequiredWords = this.sequence();
    while (this.source[this.at] === "|") {
      this.at += 1;
      const next = this.sequence();
      words = words === undefined || next === undefined ? undefined : [...words, ...next];
    }
    return words;
  }

  /** A match has the words of each part that is not optional; the longest ones say most. */
  private sequence(): RequiredWords {
    let [best, run]: [RequiredWords, string] = [undefined, ""];
    const endRun = (): void => {
      if (run !== "") best = better(best, [run]);
      run = "";
    };
    while (this.at < this.source.length && !"|)".includes(this.source[this.at] ?? "")) {
      const plain = this.match(PLAIN)?.[0] ?? "";
      run += plain.toLowerCase();
      this.at += plain.length;
      if (plain !== "") continue;
      const atom = this.atom();
      const { least, isOnce } = this.quantifier();
      if ("literal" in atom && least > 0) run += atom.literal;
      if ("literal" in atom && isOnce) continue;
      endRun();
      if ("words" in atom && least > 0) best = better(best, atom.words);
    }
    endRun();
    return best;
  }

  private atom(): Atom {
    const character = this.source[this.at] ?? "";
    if (character === "(") return this.group();
    this.at += 1;
    if (character === "[") return this.skipClass();
    if (character === "\\") return this.escape();
    if (character === ".") return NOTHING_KNOWN;
    return "^$".includes(character) ? ASSERTION : { literal: character.toLowerCase() };
  }

  private group(): Atom {
    const [opening = "(", lookaround] = this.match(GROUP) ?? [];
    this.at += opening.length;
    const words = this.alternatives();
    this.at += 1;
    return lookaround === undefined ? { words } : ASSERTION;
  }

  private skipClass(): Atom {
    for (; this.at < this.source.length && this.source[this.at] !== "]"; this.at += 1)
      if (this.source[this.at] === "\\") this.at += 1;
    this.at += 1;
    return NOTHING_KNOWN;
  }

  /** A letter or digit after a backslash is a class, an assertion, a reference or a code; other characters mean themselves. */
  private escape(): Atom {
    const character = this.source[this.at] ?? "";
    this.at += 1;
    if (character === "b" || character === "B") return ASSERTION;
    if (!/\w/.test(character)) return { literal: character };
    if (character === "u") this.at += 4;
    if (character === "x") this.at += 2;
    if (character === "k") this.at = this.source.indexOf(">", this.at) + 1;
    return NOTHING_KNOWN;
  }

  private quantifier(): { readonly least: number; readonly isOnce: boolean } {
    const found = "*+?{".includes(this.source[this.at] ?? " ") ? this.match(QUANTIFIER) : undefined;
    if (found === undefined) return { least: 1, isOnce: true };
    this.at += found[0].length;
    return { least: found[0].startsWith("+") ? 1 : Number(found[1] ?? 0), isOnce: false };
  }

  private match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    return pattern.exec(this.source) ?? undefined;
  }
}

function better(one: RequiredWords, other: RequiredWords): RequiredWords {
  if (one === undefined || other === undefined) return one ?? other;
  return shortest(other) > shortest(one) ? other : one;
}

function shortest(words: readonly string[]): number {
  return Math.min(...words.map(({ length }) => length));
}
