import type { SilentRetries } from "../spec/provider/provider.ts";
import type { EventBody, UpstreamRetry } from "../spec/wire/events.ts";

/** Records what a part has shown and which tools ran; a policy decides by it whether the part may be repeated. */
export class PartTrace {
  hasBegun = false;
  /** Also true if a tool may have run. */
  hasActed = false;
  /** True if a part of an answer was shown. */
  hasShown = false;
  /** The host tools of the last attempt that are tools of the CLI; a call of one has an effect only when a function runs. */
  hostTools: ReadonlySet<string> = new Set();
  /** The ids of messages with text or reasoning that were not reset. */
  readonly messageIds: Set<string> = new Set();
  /** How often the CLI itself repeated its request, how long it waited for that in all, and its last report about it. */
  upstreamRetries = 0;
  upstreamWaitMs = 0;
  lastUpstreamRetry: UpstreamRetry | undefined;
  /** How often the CLI of the last attempt repeats a failed request without an event. */
  silentRetries: SilentRetries = {};
  private lastMessageId: string | undefined;

  noteText(messageId: string): void {
    // The fast path: most events are pieces of the same message.
    if (messageId === this.lastMessageId) return;
    this.hasShown = true;
    this.messageIds.add(messageId);
    this.lastMessageId = messageId;
  }

  note(event: EventBody): void {
    switch (event.type) {
      case "text-delta":
      case "reasoning-delta":
        return this.noteText(event.messageId);
      case "text-reset":
        this.messageIds.delete(event.messageId);
        this.lastMessageId = undefined;
        return;
      case "object-delta":
        // The next value replaces a partial one, whichever attempt it comes from.
        if (event.isPartial !== true) this.hasShown = true;
        return;
      case "tool-start":
      case "tool-call":
      case "tool-end":
        this.hasActed ||= !this.hostTools.has(event.name);
        return;
      case "file-change":
      case "permission-request":
        this.hasActed = true;
        return;
      case "upstream-retry":
        this.upstreamRetries += 1;
        this.upstreamWaitMs += event.delayMs ?? 0;
        this.lastUpstreamRetry = event;
        return;
      case "attempt-start":
        this.hasBegun = true;
    }
  }
}
