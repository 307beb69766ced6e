import type { EventBody } from "../spec/wire/events.ts";

/** Receives the events of an attempt. */
export type EventSink = {
  write(event: EventBody & { readonly parentToolId?: string }): void;
  /** Writes a `text-delta`; a separate method, because most events are these. */
  writeText(messageId: string, text: string): void;
};
