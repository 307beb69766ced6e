/** Finds the occurrences of a string or pattern in a text from left to right; all questions together cost one pass. */
export class NextIndex {
  private readonly text: string;
  private readonly find: (from: number) => number;
  private known = -1;

  /** A pattern needs the flag `g`. */
  constructor(text: string, wanted: string | RegExp) {
    this.text = text;
    this.find =
      typeof wanted === "string"
        ? (from) => text.indexOf(wanted, from)
        : (from) => {
            wanted.lastIndex = from;
            return wanted.exec(text)?.index ?? -1;
          };
  }

  /** The first occurrence at `from` or later, or the length of the text. `from` must not decrease from call to call. */
  at(from: number): number {
    if (this.known >= from) return this.known;
    const found = this.find(from);
    this.known = found === -1 ? this.text.length : found;
    return this.known;
  }
}
