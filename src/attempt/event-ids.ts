import type { EventBody } from "../spec/wire/events.ts";

type Event = EventBody & { readonly parentToolId?: string };

/** Makes the ids of one attempt unique in the run, also when the CLI uses an id again after its message or call has ended. */
export class EventIds {
  readonly messages: IdSpace;
  readonly calls: IdSpace;
  private readonly prefix: string;

  /** `prefix` makes the ids of this attempt differ from those of other attempts. */
  constructor(prefix: string) {
    this.prefix = prefix;
    this.messages = new IdSpace(prefix);
    this.calls = new IdSpace(prefix);
  }

  withIds(event: Event): Event {
    if (this.prefix === "" && !this.messages.hasRenewed && !this.calls.hasRenewed) return event;
    const inner = this.withOwnIds(event);
    return inner.parentToolId === undefined ? inner : { ...inner, parentToolId: this.calls.idOf(inner.parentToolId) };
  }

  private withOwnIds(event: Event): Event {
    switch (event.type) {
      case "text-delta":
      case "text-end":
      case "text-reset":
      case "reasoning-delta":
        return { ...event, messageId: this.messages.idOf(event.messageId) };
      case "tool-start":
      case "tool-call":
      case "tool-input-delta":
      case "tool-reset":
      case "tool-output-delta":
      case "tool-end":
      case "permission-denied":
        return { ...event, id: this.calls.idOf(event.id) };
      case "permission-request":
        return event.id === undefined ? event : { ...event, id: this.calls.idOf(event.id) };
      default:
        return event;
    }
  }
}

/** The ids of messages, or those of calls. */
class IdSpace {
  private readonly prefix: string;
  private readonly ended = new Set<string>();
  private readonly renewed = new Map<string, string>();

  constructor(prefix: string) {
    this.prefix = prefix;
  }

  /** True if an id was used again. */
  get hasRenewed(): boolean {
    return this.renewed.size > 0;
  }

  /** The id of the run for an id of the CLI. */
  idOf(id: string): string {
    return this.prefix + (this.renewed.get(id) ?? id);
  }

  end(id: string): void {
    this.ended.add(this.renewed.get(id) ?? id);
  }

  /** Notes that a message goes on or a call begins; one that has ended gets another id from here on. */
  use(id: string): void {
    if (this.ended.size > 0 && this.ended.has(this.renewed.get(id) ?? id)) this.renewed.set(id, `${id}+${this.ended.size}`);
  }
}
