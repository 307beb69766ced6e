import type { EventBody } from "../spec/events.ts";

/** What a part has shown and done so far; whether it may be repeated depends on that. */
export class PartTrace {
  /** Whether an attempt began. */
  hasBegun = false;
  /** A tool ran, or may have run. */
  hasActed = false;
  /** Something of an answer was shown. */
  hasShown = false;
  /** Messages, of the answer or of reasoning, that said something and were not reset. */
  readonly said: Set<string> = new Set();
  private lastSaid = "";

  /** Notes a piece of a message. */
  noteText(messageId: string): void {
    // Most events are these, and most belong to the same message.
    if (messageId === this.lastSaid) return;
    this.hasShown = true;
    this.said.add(messageId);
    this.lastSaid = messageId;
  }

  /** Notes any other event. */
  note(event: EventBody): void {
    switch (event.type) {
      case "text-delta":
      case "reasoning-delta":
        return this.noteText(event.messageId);
      case "text-reset":
        this.said.delete(event.messageId);
        this.lastSaid = "";
        return;
      case "object-delta":
        this.hasShown = true;
        return;
      case "tool-start":
      case "tool-call":
      case "tool-end":
      case "file-change":
      case "permission-request":
        this.hasActed = true;
        return;
      case "attempt-start":
        this.hasBegun = true;
    }
  }
}
