/** A text that takes more work per character than this was made to be slow to read. */
const MOST_PER_CHARACTER = 8;
/** A reading costs as much as this many characters, however short it is. */
const PER_READING = 64;
const ALWAYS_ALLOWED = 100_000;

/** Bounds how often parts of one text are read again. */
export class WorkLimit {
  private left: number;

  constructor(text: string) {
    this.left = MOST_PER_CHARACTER * text.length + ALWAYS_ALLOWED;
  }

  /** Counts a reading of this many characters; throws a RangeError when there were too many. */
  spend(characters: number): void {
    this.left -= characters + PER_READING;
    if (this.left < 0) throw new RangeError("The text takes too much work to read.");
  }
}
