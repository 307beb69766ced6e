import type { EventBody } from "../spec/events.ts";

/** Where the events of an attempt go. */
export type EventSink = {
  write(event: EventBody & { readonly parentToolId?: string }): void;
  /** The same for a piece of the answer; most events are these. */
  writeText(messageId: string, text: string): void;
};
