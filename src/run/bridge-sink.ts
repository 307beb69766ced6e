import type { EventBody } from "../spec/events.ts";
import type { BridgedCalls } from "./bridged-calls.ts";
import type { EventSink } from "./event-sink.ts";

type SinkEvent = EventBody & { readonly parentToolId?: string };

/**
 * Passes events on with the callers' names of host tools instead of the CLI's names. The end of a call gets the result and the duration that
 * the bridge has seen: a CLI may shorten or wrap a result, and OpenCode reports a call only after its end.
 */
export class BridgeSink implements EventSink {
  private readonly next: EventSink;
  /** The callers' names by the names of the CLI. */
  private readonly names: ReadonlyMap<string, string>;
  private readonly calls: BridgedCalls;

  constructor(next: EventSink, names: ReadonlyMap<string, string>, calls: BridgedCalls) {
    this.next = next;
    this.names = names;
    this.calls = calls;
  }

  writeText(messageId: string, text: string): void {
    this.next.writeText(messageId, text);
  }

  write(event: SinkEvent): void {
    this.next.write(this.rename(event));
  }

  private rename(event: SinkEvent): SinkEvent {
    if (event.type === "session-start") {
      const { tools } = event;
      return tools === undefined ? event : { ...event, tools: tools.map((tool) => this.names.get(tool) ?? tool) };
    }
    const name = "name" in event && typeof event.name === "string" ? this.names.get(event.name) : undefined;
    if (name === undefined) return event;
    switch (event.type) {
      case "tool-call":
        return { ...event, name, input: this.calls.inputOf(name, event.input), executor: "host" };
      case "tool-end": {
        const input = this.calls.inputOf(name, event.input);
        return { ...event, name, input, ...this.calls.takeResult(name, input) };
      }
      case "tool-start":
      case "permission-request":
      case "permission-denied":
        return { ...event, name };
      default:
        return event;
    }
  }
}
