import type { PartialObject } from "../answers/partial-object.ts";
import type { EventSink, RunWriter } from "../run/run-writer.ts";
import type { EventBody } from "../spec/wire/events.ts";

/** Where the structured answer of an attempt is read while it is written. */
type PartialSource = {
  /** Undefined if no structured answer is wanted. */
  readonly partial: PartialObject | undefined;
  /** The CLI's tool whose input is the answer; without one the answer is text. */
  readonly objectTool: string | undefined;
};

/** Does an attempt with a sink that also shows the structured answer so far; with the given sink if there is none to show. */
export async function showPartials<End>(
  sink: EventSink,
  writer: RunWriter,
  { partial, objectTool }: PartialSource,
  attempt: (sink: EventSink) => Promise<End>,
): Promise<End> {
  if (partial === undefined) return await attempt(sink);
  const showing = new PartialSink(sink, writer, partial, objectTool);
  try {
    return await attempt(showing);
  } finally {
    showing.close();
  }
}

/** Passes the events of one attempt on, and shows the structured answer so far, at most once in each batch of the run. */
class PartialSink implements EventSink {
  private readonly sink: EventSink;
  private readonly partial: PartialObject;
  private readonly objectTool: string | undefined;
  private readonly remove: () => void;
  /** The call of the CLI's tool for answers that is being written. */
  private callId: string | undefined;

  constructor(sink: EventSink, writer: RunWriter, partial: PartialObject, objectTool: string | undefined) {
    this.sink = sink;
    this.partial = partial;
    this.objectTool = objectTool;
    this.remove = writer.beforeFlush(() => {
      const object = partial.next();
      if (object !== undefined) writer.write({ type: "object-delta", object, isPartial: true });
    });
  }

  write(event: EventBody & { readonly parentToolId?: string }): void {
    if (event.parentToolId === undefined) this.see(event);
    this.sink.write(event);
  }

  writeText(messageId: string, text: string): void {
    if (this.objectTool === undefined) this.partial.push(messageId, text);
    this.sink.writeText(messageId, text);
  }

  /** Shows nothing more; call it at the end of the attempt. */
  close(): void {
    this.remove();
  }

  private see(event: EventBody): void {
    if (event.type === "text-reset") this.partial.forget(event.messageId);
    else if (event.type === "tool-reset") this.partial.forget(event.id);
    else if (event.type === "tool-start" && event.name === this.objectTool) this.callId = event.id;
    else if (event.type === "tool-input-delta" && event.id === this.callId) this.partial.push(event.id, event.delta);
  }
}
