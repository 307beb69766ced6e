import type { RunEnd, RunEvent } from "../spec/events.ts";
import type { JsonValue } from "../spec/json.ts";
import type { HostCall } from "../spec/tool.ts";
import type { MessageReader, Reader } from "../tools/open-reader.ts";
import type { AnswerReading } from "../tools/read-answer.ts";
import type { Relay } from "./relay.ts";

/** What one call came to: its end, its text as it was, and what was read from it. */
export type Pass = {
  readonly end: RunEnd | undefined;
  readonly said: string;
  readonly answerId?: string;
  readonly sessionId?: string;
  readonly calls: readonly HostCall[];
  readonly problems: readonly string[];
  /** What the problems are about. */
  readonly wanted: "calls" | "object";
  readonly object?: JsonValue;
};

/** Reads the events of one call: text goes through the reader, everything else is passed on. */
export class PassReader {
  private readonly reader: Reader;
  private readonly relay: Relay;
  private readonly open = new Map<string, { readonly reading: MessageReader; shown: string }>();
  /** What complete messages came to; a message that is taken back takes its calls along. */
  private readonly read = new Map<string, { readonly said: string; readonly reading: AnswerReading }>();
  private objectProblems: readonly string[] = [];
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
    if (event.type === "object-delta") {
      this.object = event.object;
      return;
    }
    if ("parentToolId" in event && event.parentToolId !== undefined) return this.relay.pass(event);
    if (event.type === "text-delta") return this.takeText(event.messageId, event.text);
    if (event.type === "text-end") return this.endText(event.messageId);
    if (event.type === "text-reset") this.forget(event.messageId);
    this.relay.pass(event);
  }

  /** What the call came to; its events are all there. */
  result(): Pass {
    const { end, sessionId } = this;
    const isGood = end !== undefined && end.failure === undefined;
    if (isGood) for (const messageId of [...this.open.keys()]) this.endText(messageId);
    const readings = [...this.read.values()];
    const calls = readings.flatMap(({ reading }) => (reading.kind === "calls" ? reading.calls : []));
    const problems = readings.flatMap(({ reading }) => (reading.kind === "problem" ? reading.problems : []));
    if (isGood && calls.length === 0 && problems.length === 0) this.readObject();
    const answerId = end?.answerId === undefined ? undefined : this.lastShown;
    return {
      end,
      said: this.isNativeObjectWrong() ? JSON.stringify(this.object) : readings.map(({ said }) => said).join("\n\n"),
      calls,
      problems: problems.length > 0 ? problems : this.objectProblems,
      wanted: problems.length > 0 ? "calls" : "object",
      ...(answerId !== undefined && { answerId }),
      ...(sessionId !== undefined && { sessionId }),
      ...(this.object !== undefined && { object: this.object }),
    };
  }

  private isNativeObjectWrong(): boolean {
    return this.reader.readText === undefined && this.objectProblems.length > 0;
  }

  private forget(messageId: string): void {
    this.open.delete(messageId);
    const forgotten = this.read.get(messageId)?.reading;
    this.read.delete(messageId);
    if (forgotten?.kind === "calls") this.reader.release(forgotten.calls);
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
    this.read.set(messageId, { said: message.reading.whole(), reading });
    this.lastText = reading.text;
    if (this.reader.readText !== undefined && reading.kind === "answer") return;
    if (reading.kind !== "problem") this.showRest(messageId, message, reading.text);
    if (message.shown !== "") this.relay.add({ type: "text-end", messageId: this.relay.idOf(messageId) });
  }

  /** What was shown is a beginning of the text; should it ever not be, it is taken back and said again. */
  private showRest(messageId: string, message: { shown: string }, text: string): void {
    if (text.startsWith(message.shown)) return this.show(messageId, message, text.slice(message.shown.length));
    this.relay.add({ type: "text-reset", messageId: this.relay.idOf(messageId) });
    const again = `${messageId}:again`;
    message.shown = "";
    this.show(again, { shown: "" }, text);
    this.relay.add({ type: "text-end", messageId: this.relay.idOf(again) });
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
      if (this.object === undefined) return;
      this.objectProblems = this.reader.checkObject(this.object);
      if (this.objectProblems.length === 0) this.relay.add({ type: "object-delta", object: this.object });
      return;
    }
    const reading = readText(this.lastText);
    if ("problems" in reading) {
      this.objectProblems = reading.problems;
      return;
    }
    this.object = reading.value;
    this.show("object", { shown: "" }, JSON.stringify(reading.value));
    this.relay.add({ type: "text-end", messageId: this.relay.idOf("object") });
    this.relay.add({ type: "object-delta", object: reading.value });
  }
}
