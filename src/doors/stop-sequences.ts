/** Ends a text before the first stop sequence; CLIs have no such setting. */
export class StopSequences {
  private readonly stops: readonly string[];
  private readonly longest: number;
  private held = "";
  private found: string | undefined;

  constructor(stops: readonly string[]) {
    this.stops = stops.filter((stop) => stop !== "");
    this.longest = this.stops.reduce((longest, { length }) => Math.max(longest, length), 0);
  }

  /** The stop sequence that was seen; nothing comes after it. */
  get reached(): string | undefined {
    return this.found;
  }

  /** Adds a piece and returns the text that is certainly before any stop sequence. */
  push(piece: string): string {
    if (this.found !== undefined) return "";
    if (this.stops.length === 0) return piece;
    const text = this.held + piece;
    let end = text.length;
    for (const stop of this.stops) {
      const index = text.indexOf(stop);
      if (index === -1 || index >= end) continue;
      this.found = stop;
      end = index;
    }
    if (this.found !== undefined) {
      this.held = "";
      return text.slice(0, end);
    }
    const kept = this.beginningOfStop(text);
    this.held = text.slice(text.length - kept);
    return text.slice(0, text.length - kept);
  }

  /** The held text, which is not a stop sequence. */
  end(): string {
    const rest = this.held;
    this.held = "";
    return rest;
  }

  /** The number of characters at the end that may begin a stop sequence. */
  private beginningOfStop(text: string): number {
    for (let length = Math.min(this.longest - 1, text.length); length > 0; length -= 1) {
      const end = text.slice(text.length - length);
      if (this.stops.some((stop) => stop.startsWith(end))) return length;
    }
    return 0;
  }
}
