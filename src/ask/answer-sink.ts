import type { AnswerReading } from "../answers/read-answer.ts";
import { type Sliced, SlicedQueue } from "../answers/slices.ts";
import type { EventLog } from "../attempt/event-log.ts";
import type { EventSink, RunWriter } from "../run/run-writer.ts";
import { defined, type JsonValue, parseJson } from "../spec/json.ts";
import type { HostCall, InvalidCall } from "../spec/message.ts";
import type { EventBody, RunEnd } from "../spec/wire/events.ts";
import type { MessageReader, ReadAnswer, Reader } from "./open-reader.ts";

/** The events that are read; all others reach the writer even if reading is stopped. */
const TEXT_EVENTS: ReadonlySet<EventBody["type"]> = new Set(["text-delta", "text-end", "text-reset", "object-delta"]);

/** Longer pieces are shown part by part, so that each part is a short piece of work. */
const LONGEST_PART = 32 * 1024;

type AnswerSinkOptions = {
  readonly isFirst: boolean;
  readonly isStopped: () => boolean;
  /** The problems that the caller's validator finds in the structured value; undefined when the run is stopped before it has decided. */
  readonly check?: ((value: JsonValue) => Promise<readonly string[] | undefined>) | undefined;
};

type Shown = { readonly shown: string[] };

/** Receives the events of one attempt: text goes through the reader, all other events go to the writer. */
export class AnswerSink implements EventSink {
  private readonly reader: Reader;
  /** Receives the text that is shown, so that a failure can carry it as `partialText`. */
  private readonly shown: EventLog;
  private readonly writer: RunWriter;
  private readonly isFirst: boolean;
  private readonly check: AnswerSinkOptions["check"];
  private readonly open = new Map<string, Shown & { readonly reading: MessageReader }>();
  private readonly work: SlicedQueue;
  /** The complete messages; a reset removes a message with its calls. */
  private readonly complete = new Map<string, { readonly fullText: string; readonly reading: AnswerReading }>();
  private objectProblems: readonly string[] = [];
  private lastShown: string | undefined;
  private readonly shownIds = new Set<string>();
  private lastText = "";
  private sessionId: string | undefined;
  private object: JsonValue | undefined;
  /** A value that matches the schema and is not shown yet. */
  private found: { readonly value: JsonValue } | undefined;
  /** The last message of a CLI whose value is rewritten: its text is replaced by the JSON of the value that is read. */
  private held: { readonly messageId: string; readonly message: Shown; readonly text: string } | undefined;

  constructor(reader: Reader, shown: EventLog, writer: RunWriter, options: AnswerSinkOptions) {
    this.reader = reader;
    this.shown = shown;
    this.writer = writer;
    this.isFirst = options.isFirst;
    this.check = options.check;
    this.work = new SlicedQueue({
      isStopped: options.isStopped,
      inBurst: (burst) => {
        writer.tick();
        burst();
        writer.flush();
      },
    });
  }

  write(event: EventBody & { readonly parentToolId?: string }): void {
    this.work.add(this.handle(event), event.parentToolId !== undefined || !TEXT_EVENTS.has(event.type));
  }

  writeText(messageId: string, text: string): void {
    this.work.add(this.handleText(messageId, text));
  }

  /** Call it after the last event of the attempt. */
  async read(given: RunEnd): Promise<ReadAnswer> {
    const end = this.toAnswer(given);
    if (end.failure === undefined) this.work.add(this.endAll());
    const isRead = await this.work.finished();
    const isSettled = await this.settleObject();
    const readings = [...this.complete.values()];
    const problems = this.problems();
    return {
      end,
      shownIds: [...this.shownIds],
      fullText: this.isNativeObjectWrong() ? JSON.stringify(this.object) : readings.map(({ fullText }) => fullText).join("\n\n"),
      calls: this.calls(),
      problems: problems.length > 0 ? problems : this.objectProblems,
      invalidCalls: this.invalidCalls(),
      wanted: problems.length > 0 ? "calls" : "object",
      isUnread: !isRead || !isSettled,
      ...defined({ answerId: end.answerId === undefined ? undefined : this.lastShown, sessionId: this.sessionId }),
    };
  }

  private *handle(event: EventBody & { readonly parentToolId?: string }): Sliced<void> {
    if (event.type === "session-start") this.sessionId = event.sessionId;
    // A correction belongs to the session of the first answer.
    if (event.type === "session-start" && !this.isFirst) return;
    if (event.type === "object-delta") {
      this.object = event.object;
      return;
    }
    if (event.parentToolId !== undefined) return this.writer.write(event);
    if (event.type.startsWith("tool-")) this.releaseHeld();
    if (event.type === "text-delta") return yield* this.handleText(event.messageId, event.text);
    if (event.type === "text-end") return yield* this.endText(event.messageId);
    if (event.type !== "text-reset") return this.writer.write(event);
    this.forget(event.messageId);
    this.shown.add(event);
  }

  private *handleText(messageId: string, text: string): Sliced<void> {
    const message = this.open.get(messageId) ?? { reading: this.reader.openMessage(), shown: [] };
    this.open.set(messageId, message);
    for (let at = 0; at < text.length; at += LONGEST_PART) {
      if (at > 0) yield;
      this.show(messageId, message, message.reading.push(text.slice(at, at + LONGEST_PART)));
    }
  }

  private *endAll(): Sliced<void> {
    for (const messageId of [...this.open.keys()]) yield* this.endText(messageId);
    if (this.calls().length === 0 && this.problems().length === 0) yield* this.readObject();
  }

  private calls(): readonly HostCall[] {
    return [...this.complete.values()].flatMap(({ reading }) => (reading.kind === "calls" ? reading.calls : []));
  }

  private problems(): readonly string[] {
    return [...this.complete.values()].flatMap(({ reading }) => (reading.kind === "problem" ? reading.problems : []));
  }

  /** A valid call in another message of the answer is left out: no call of an invalid answer is made. */
  private invalidCalls(): readonly InvalidCall[] {
    const wrong = [...this.complete.values()].flatMap(({ reading }) => (reading.kind === "problem" ? [reading] : []));
    return wrong.every(({ invalidCalls }) => invalidCalls !== undefined)
      ? wrong.flatMap(({ invalidCalls = [] }) => invalidCalls)
      : [];
  }

  private isNativeObjectWrong(): boolean {
    return this.reader.readText === undefined && this.object !== undefined && this.objectProblems.length > 0;
  }

  /** A CLI that has given up its own schema has still answered. Its text may hold the value, and the model may correct it. */
  private toAnswer(end: RunEnd): RunEnd {
    if (this.reader.readNativeText === undefined || end.failure?.code !== "schema-mismatch") return end;
    return { type: "run-end", finish: "stop", answerId: "" };
  }

  private forget(messageId: string): void {
    this.open.delete(messageId);
    this.shownIds.delete(messageId);
    if (this.held?.messageId === messageId) this.held = undefined;
    const forgotten = this.complete.get(messageId)?.reading;
    this.complete.delete(messageId);
    if (forgotten?.kind === "calls") this.reader.release(forgotten.calls);
    if (forgotten?.kind === "problem") this.reader.release(forgotten.invalidCalls ?? []);
  }

  private *endText(messageId: string): Sliced<void> {
    const message = this.open.get(messageId);
    if (message === undefined) return;
    this.open.delete(messageId);
    const reading = yield* message.reading.end();
    this.complete.set(messageId, { fullText: message.reading.whole(), reading });
    this.lastText = reading.text;
    if (this.reader.rewritesNative) {
      this.releaseHeld();
      this.held = { messageId, message, text: reading.text };
      return;
    }
    if (this.reader.readText !== undefined && reading.kind === "answer") return;
    if (reading.kind !== "problem") this.showRest(messageId, message, reading.text);
    if (message.shown.length > 0) this.shown.add({ type: "text-end", messageId });
  }

  /** The shown text is normally a prefix of the whole text. If it is not, the message is reset and shown again. */
  private showRest(messageId: string, message: Shown, text: string): void {
    const shown = message.shown.join("");
    if (text.startsWith(shown)) return this.show(messageId, message, text.slice(shown.length));
    this.shownIds.delete(messageId);
    this.shown.add({ type: "text-reset", messageId });
    const again = `${messageId}:again`;
    message.shown.length = 0;
    this.show(again, { shown: [] }, text);
    this.shown.add({ type: "text-end", messageId: again });
  }

  private show(messageId: string, message: Shown, text: string): void {
    if (text === "") return;
    message.shown.push(text);
    this.lastShown = messageId;
    this.shownIds.add(messageId);
    this.shown.add({ type: "text-delta", messageId, text });
  }

  private *readObject(): Sliced<void> {
    const { readText, readNativeText, readNative } = this.reader;
    const readsText = readText ?? (this.object === undefined ? readNativeText : undefined);
    if (readsText === undefined && this.object === undefined) return;
    const reading = readsText === undefined ? readNative(this.object ?? null) : yield* readsText(this.lastText);
    if ("problems" in reading) this.objectProblems = reading.problems;
    else this.found = reading;
  }

  /**
   * Shows the structured value if the caller's validator accepts it, with its text where the CLI's own is not shown. False if the
   * run is stopped before the validator has decided.
   */
  private async settleObject(): Promise<boolean> {
    const { found } = this;
    const problems = found === undefined || this.check === undefined ? this.objectProblems : await this.check(found.value);
    this.objectProblems = problems ?? [];
    if (found === undefined || problems === undefined || problems.length > 0) {
      this.releaseHeld();
      return problems !== undefined;
    }
    const isOtherText = this.object === undefined && parseJson(this.lastText) === undefined;
    if (isOtherText && !this.reader.rewritesNative)
      for (const messageId of this.shownIds) this.shown.add({ type: "text-reset", messageId });
    if (this.reader.readText !== undefined || this.reader.rewritesNative || isOtherText) {
      const messageId = `${this.writer.idPrefix()}object`;
      this.show(messageId, { shown: [] }, JSON.stringify(found.value));
      this.shown.add({ type: "text-end", messageId });
    }
    this.shown.add({ type: "object-delta", object: found.value });
    return true;
  }

  private releaseHeld(): void {
    if (this.held === undefined) return;
    const { messageId, message, text } = this.held;
    this.held = undefined;
    this.showRest(messageId, message, text);
    if (message.shown.length > 0) this.shown.add({ type: "text-end", messageId });
  }
}
