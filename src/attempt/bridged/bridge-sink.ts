import type { EventSink } from "../../run/event-sink.ts";
import type { EventBody } from "../../spec/wire/events.ts";
import { type CallersNames, withCallersNames } from "../callers-names.ts";
import type { BridgedCalls } from "./bridged-calls.ts";

type SinkEvent = EventBody & { readonly parentToolId?: string };

/**
 * Passes events on with the callers' names of host tools instead of the CLI's names. The end of a call gets the result and the duration that
 * the bridge has seen: a CLI may shorten or wrap a result, and OpenCode reports a call only after its end.
 */
export class BridgeSink implements EventSink {
  private readonly next: EventSink;
  private readonly callers: CallersNames;
  private readonly calls: BridgedCalls;

  /** `names` are the callers' names by the names of the CLI. */
  constructor(next: EventSink, names: ReadonlyMap<string, string>, calls: BridgedCalls) {
    this.next = next;
    this.callers = { names, inputOf: (name, input) => calls.inputOf(name, input) };
    this.calls = calls;
  }

  writeText(messageId: string, text: string): void {
    this.next.writeText(messageId, text);
  }

  write(event: SinkEvent): void {
    this.next.write(this.rename(event));
  }

  private rename(event: SinkEvent): SinkEvent {
    const name = event.type === "tool-end" ? this.callers.names.get(event.name) : undefined;
    if (event.type !== "tool-end" || name === undefined) return withCallersNames(event, this.callers);
    const input = this.calls.inputOf(name, event.input);
    return { ...event, name, input, ...this.calls.takeResult(name, input) };
  }
}
