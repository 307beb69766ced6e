/** A text that takes more work per character than this was made to be slow to read. */
const MOST_PER_CHARACTER = 24;
const ALWAYS_ALLOWED = 100_000;

/** Bounds how often parts of one text are read again. */
export class WorkLimit {
  private left: number;

  constructor(text: string) {
    this.left = MOST_PER_CHARACTER * text.length + ALWAYS_ALLOWED;
  }

  /** Counts characters that were read; throws a RangeError when there were too many. */
  spend(characters: number): void {
    this.left -= characters;
    if (this.left < 0) throw new RangeError("The text takes too much work to read.");
  }
}
