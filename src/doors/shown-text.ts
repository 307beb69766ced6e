import { createFailure } from "../spec/failure/failure.ts";
import { refusalOf } from "../spec/failure/run-error.ts";

/** Between the messages of one answer. */
export const SEPARATOR = "\n\n";

/**
 * The text of a stream, over all messages, up to a stop sequence. Doors have no reset: text that a CLI repeats after a reset is
 * dropped as long as it is the same; otherwise `push` throws a RunError with `stream-diverged`.
 */
export class ShownText {
  private readonly stop: StopSequences;
  private messageId: string | undefined;
  private said = "";
  /** Text that was reset but stays shown; the next message must begin with it. */
  private owed = "";
  private hasShown = false;

  constructor(stop: readonly string[]) {
    this.stop = new StopSequences(stop);
  }

  get isStopped(): boolean {
    return this.stop.reached !== undefined;
  }

  get stopSequence(): string | undefined {
    return this.stop.reached;
  }

  push(messageId: string, text: string): string {
    const isNext = this.messageId !== messageId;
    const separator = isNext && this.hasShown && this.owed === "" ? SEPARATOR : "";
    if (isNext) this.said = "";
    this.messageId = messageId;
    const fresh = this.withoutOwed(text);
    this.said += text;
    if (fresh === "") return "";
    this.hasShown = true;
    return this.stop.push(separator + fresh);
  }

  reset(messageId: string): void {
    if (messageId !== this.messageId) return;
    this.owed = this.said + this.owed;
    this.said = "";
  }

  end(): string {
    return this.stop.end();
  }

  private withoutOwed(text: string): string {
    const length = Math.min(text.length, this.owed.length);
    if (text.slice(0, length) !== this.owed.slice(0, length)) {
      throw refusalOf(createFailure("stream-diverged", "The CLI restarted its answer with different text than had been shown."));
    }
    this.owed = this.owed.slice(length);
    return text.slice(length);
  }
}

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
