import type { RunEvent } from "../spec/events.ts";
import type { Usage } from "../spec/usage.ts";

/** The last event of a run. */
export type RunEndEvent = Extract<RunEvent, { type: "run-end" }>;

/** Notes what one inner run has done so far: whether another may follow it depends on that. */
export class PassTrace {
  end: RunEndEvent | undefined;
  attempts = 0;
  /** Who was asked. */
  readonly providers: Set<string> = new Set();
  /** What was said about settings that the CLI cannot honour. */
  readonly ignored: Set<string> = new Set();
  usage: Usage | undefined;
  costUsd: number | undefined;
  /** A tool ran, or may have run. */
  hasActed = false;
  /** Something of an answer was shown. */
  hasShown = false;
  /** Messages, of the answer or of reasoning, that said something and were not taken back. */
  readonly said: Set<string> = new Set();
  private lastSaid = "";

  /** Takes the next events. */
  note(batch: readonly RunEvent[]): void {
    for (const event of batch) {
      switch (event.type) {
        case "text-delta":
          this.hasShown = true;
          // Most events are these, and most belong to the same message.
          if (event.messageId !== this.lastSaid) this.said.add(event.messageId);
          this.lastSaid = event.messageId;
          break;
        case "text-reset":
          this.said.delete(event.messageId);
          this.lastSaid = "";
          break;
        case "reasoning-delta":
          this.hasShown = true;
          this.said.add(event.messageId);
          break;
        case "object-delta":
          this.hasShown = true;
          break;
        default:
          this.noteRest(event);
      }
    }
  }

  private noteRest(event: RunEvent): void {
    switch (event.type) {
      case "tool-start":
      case "tool-call":
      case "tool-end":
      case "file-change":
      case "permission-request":
        this.hasActed = true;
        break;
      case "attempt-start":
        this.attempts += 1;
        this.providers.add(event.provider);
        break;
      case "warning":
        if (event.code === "setting-ignored") this.ignored.add(event.message);
        break;
      case "usage":
        this.usage = event.usage;
        if (event.costUsd !== undefined) this.costUsd = event.costUsd;
        break;
      case "run-end":
        this.end = event;
        break;
    }
  }
}
