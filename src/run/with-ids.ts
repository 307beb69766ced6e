import type { EventBody } from "../spec/events.ts";

type Event = EventBody & { readonly parentToolId?: string };

/** The event with its message id, tool call id and parent tool id mapped by `idOf`. */
export function withIds(event: Event, idOf: (id: string) => string): Event {
  const inner = ownIds(event, idOf);
  return inner.parentToolId === undefined ? inner : { ...inner, parentToolId: idOf(inner.parentToolId) };
}

function ownIds(event: Event, idOf: (id: string) => string): Event {
  switch (event.type) {
    case "text-delta":
    case "text-end":
    case "text-reset":
    case "reasoning-delta":
      return { ...event, messageId: idOf(event.messageId) };
    case "tool-start":
    case "tool-call":
    case "tool-input-delta":
    case "tool-reset":
    case "tool-output-delta":
    case "tool-end":
    case "permission-denied":
      return { ...event, id: idOf(event.id) };
    case "permission-request":
      return event.id === undefined ? event : { ...event, id: idOf(event.id) };
    case "run-end":
      return event.answerId === undefined ? event : { ...event, answerId: idOf(event.answerId) };
    default:
      return event;
  }
}
