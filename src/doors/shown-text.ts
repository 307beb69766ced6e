import { createFailure } from "../spec/failure/failure.ts";
import { refusalOf } from "../spec/failure/run-error.ts";
import { StopSequences } from "./stop-sequences.ts";

/** Between the messages of one answer. */
export const SEPARATOR = "\n\n";

/**
 * The text of a stream, over all messages, up to a stop sequence. Doors have no reset: text that a CLI repeats after a reset is
 * dropped as long as it is the same; otherwise `push` throws a RunError with `stream-diverged`.
 */
export class ShownText {
  private readonly stop: StopSequences;
  private messageId: string | undefined;
  /** The shown text of the current message. */
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

  /** The stop sequence at which the text ended. */
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
