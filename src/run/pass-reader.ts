import type { RunEnd, RunEvent } from "../spec/events.ts";
import type { JsonValue } from "../spec/json.ts";
import type { HostCall } from "../spec/tool.ts";
import type { MessageReader, Reader } from "../tools/open-reader.ts";
import type { Relay } from "./relay.ts";

/** What one call came to: its end, its text as it was, and what was read from it. */
export type Pass = {
  readonly end: RunEnd | undefined;
  readonly said: string;
  readonly answerId?: string;
  readonly sessionId?: string;
  readonly calls: readonly HostCall[];
  readonly problems: readonly string[];
  readonly object?: JsonValue;
};

/** Reads the events of one call: text goes through the reader, everything else is passed on. */
export class PassReader {
  private readonly reader: Reader;
  private readonly relay: Relay;
  private readonly open = new Map<string, { readonly reading: MessageReader; shown: string }>();
  private readonly said: string[] = [];
  private readonly calls: HostCall[] = [];
  private readonly problems: string[] = [];
  private lastShown: string | undefined;
  private lastText = "";
  private sessionId: string | undefined;
  private object: JsonValue | undefined;
  private end: RunEnd | undefined;

  constructor(reader: Reader, relay: Relay) {
    this.reader = reader;
    this.relay = relay;
  }

  /** Takes the next event. */
  take(event: RunEvent): void {
    if (event.type === "run-end") this.end = event;
    if (event.type === "session-start") this.sessionId = event.sessionId;
    if (event.type === "object-delta") this.object = event.object;
    if ("parentToolId" in event && event.parentToolId !== undefined) return this.relay.pass(event);
    if (event.type === "text-delta") return this.takeText(event.messageId, event.text);
    if (event.type === "text-end") return this.endText(event.messageId);
    if (event.type === "text-reset") this.open.delete(event.messageId);
    this.relay.pass(event);
  }

  /** What the call came to; its events are all there. */
  result(): Pass {
    const { end, sessionId, calls, object } = this;
    if (end?.failure === undefined) for (const messageId of [...this.open.keys()]) this.endText(messageId);
    if (end?.failure === undefined && calls.length === 0 && this.problems.length === 0) this.readObject();
    const answerId = end?.answerId === undefined ? undefined : this.lastShown;
    return {
      end,
      said: this.said.join("\n\n"),
      calls,
      problems: this.problems,
      ...(answerId !== undefined && { answerId }),
      ...(sessionId !== undefined && { sessionId }),
      ...(object !== undefined && { object }),
    };
  }

  private takeText(messageId: string, text: string): void {
    const message = this.open.get(messageId) ?? { reading: this.reader.openMessage(), shown: "" };
    this.open.set(messageId, message);
    this.show(messageId, message, message.reading.push(text));
  }

  private endText(messageId: string): void {
    const message = this.open.get(messageId);
    if (message === undefined) return;
    this.open.delete(messageId);
    const reading = message.reading.end();
    if (reading.kind === "calls") this.calls.push(...reading.calls);
    if (reading.kind === "problem") this.problems.push(...reading.problems);
    this.said.push(message.reading.whole());
    this.lastText = reading.text;
    if (this.reader.readText !== undefined && reading.kind === "answer") return;
    if (reading.kind !== "problem") this.show(messageId, message, reading.text.slice(message.shown.length));
    if (message.shown !== "") this.relay.add({ type: "text-end", messageId: this.relay.idOf(messageId) });
  }

  private show(messageId: string, message: { shown: string }, text: string): void {
    if (text === "") return;
    message.shown += text;
    this.lastShown = this.relay.idOf(messageId);
    this.relay.add({ type: "text-delta", messageId: this.lastShown, text });
  }

  /** A structured value that was wanted: the CLI's own is checked, one in the text is read and then shown. */
  private readObject(): void {
    const { readText } = this.reader;
    if (readText === undefined) {
      if (this.object !== undefined) this.problems.push(...this.reader.checkObject(this.object));
      return;
    }
    const reading = readText(this.lastText);
    if ("problems" in reading) {
      this.problems.push(...reading.problems);
      return;
    }
    this.object = reading.value;
    this.show("object", { shown: "" }, JSON.stringify(reading.value));
    this.relay.add({ type: "text-end", messageId: this.relay.idOf("object") });
    this.relay.add({ type: "object-delta", object: reading.value });
  }
}
