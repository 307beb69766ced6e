import type { JsonValue } from "../../spec/json.ts";
import type { EventDraft } from "../../spec/wire/events.ts";

/** A text block of a message, as far as it was reported. */
type ReportedText = { readonly id: string; readonly message: string; readonly block: number; readonly pieces: string[] };

type BegunCall = { readonly id: string; readonly block: number; isComplete: boolean };

/**
 * The assistant messages of the main agent or of one sub-agent, by message id. Reports each text once,
 * whether it came in pieces, as a whole, or both, and resets text that the CLI abandoned.
 */
export class MessageLane {
  readonly parentToolId: string | undefined;
  /** The last text that was reported and not reset, complete or not. */
  last: { readonly id: string; readonly pieces: readonly string[] } | undefined;
  private open: ReportedText | undefined;
  /** Texts that were streamed to their end and that the CLI has not yet repeated as a whole. */
  private streamed: ReportedText[] = [];
  /** The id of the message that was begun last. */
  message = "";
  /** The number of the block that is being streamed. */
  private block = 0;
  /** The text and calls of the open message so far. */
  private texts: ReportedText[] = [];
  private calls: BegunCall[] = [];
  /** Text that the CLI abandoned. It is reset when other text comes, and stays the last text when none comes. */
  private abandoned: EventDraft[] = [];
  private readonly blockCounts: Map<string, number>;
  private readonly reasonedMessages = new Set<string>();

  /** The lanes of a run share the count of blocks by message id, so that no id is used twice. */
  constructor(blockCounts: Map<string, number>, parentToolId?: string) {
    this.blockCounts = blockCounts;
    this.parentToolId = parentToolId;
  }

  /** A message begins; unfinished or abandoned text of another message is void. */
  beginMessage(id: string, into: EventDraft[]): void {
    this.abandonOpen(into);
    this.resetAbandoned(into);
    this.streamed = [];
    this.texts = [];
    this.calls = [];
    this.message = id;
  }

  /** A block of the message begins, with its call if it is one. */
  beginBlock(block: number, callId?: string): void {
    this.block = block;
    if (callId !== undefined) this.calls.push({ id: callId, block, isComplete: false });
  }

  completeCall(id: string): void {
    for (const call of this.calls) if (call.id === id) call.isComplete = true;
  }

  /** The CLI abandoned the message from a block on, although it had ended the blocks (fixture v325-stream-cut-once). */
  abandonFrom(block: number): void {
    for (const text of this.texts) if (text.block >= block) this.abandonText(text);
    this.abandonCalls(this.calls.filter((call) => call.block >= block));
  }

  /** The CLI sends its request again: text that it streamed and has not repeated as a whole is abandoned. */
  abandonUnsettled(): void {
    for (const text of this.streamed) this.abandonText(text);
    this.abandonCalls(this.calls.filter((call) => !call.isComplete));
  }

  /** The CLI prints a whole message; abandoned text of another message is void now. */
  turnTo(message: string, into: EventDraft[]): void {
    if (this.message !== message) this.resetAbandoned(into);
    this.message = message;
  }

  private resetAbandoned(into: EventDraft[]): void {
    for (const event of this.abandoned) {
      into.push(event);
      if (event.type === "text-reset" && this.last?.id === event.messageId) this.last = undefined;
    }
    this.abandoned = [];
  }

  addText(text: string, into: EventDraft[]): void {
    if (text === "") return;
    this.open ??= this.openText();
    this.open.pieces.push(text);
    into.push(this.mark({ type: "text-delta", messageId: this.open.id, text }));
  }

  /** The text block that was streamed is complete. */
  endText(into: EventDraft[]): void {
    if (this.open !== undefined) this.streamed.push(this.open);
    this.closeOpen(into);
  }

  /** The CLI prints the whole text of a block, streamed before or not, ended or not. */
  settleText(message: string, whole: string, into: EventDraft[]): void {
    if (this.open?.message !== message) this.abandonOpen(into);
    this.turnTo(message, into);
    if (this.open === undefined && this.isReported(message, whole, into)) return;
    const streamed = this.open?.pieces.join("") ?? "";
    if (!whole.startsWith(streamed)) this.abandonOpen(into);
    this.addText(this.open === undefined ? whole : whole.slice(streamed.length), into);
    this.closeOpen(into);
  }

  /** Reports a text that belongs to no streamed message, under its own id. */
  addSeparate(id: string, text: string, into: EventDraft[]): void {
    this.abandonOpen(into);
    this.resetAbandoned(into);
    this.last = { id, pieces: [text] };
    into.push(this.mark({ type: "text-delta", messageId: id, text }), this.mark({ type: "text-end", messageId: id }));
  }

  addReasoning(text: string, into: EventDraft[]): void {
    this.reasonedMessages.add(this.message);
    this.pushReasoning(text, into);
  }

  /** The CLI prints a whole reasoning block; it is reported only if none of that message was streamed. */
  settleReasoning(message: string, whole: string, into: EventDraft[]): void {
    this.turnTo(message, into);
    if (!this.reasonedMessages.has(message)) this.pushReasoning(whole, into);
  }

  /** Adds the sub-agent's call to an event. */
  mark(draft: EventDraft): EventDraft {
    return this.parentToolId === undefined ? draft : { ...draft, parentToolId: this.parentToolId };
  }

  private pushReasoning(text: string, into: EventDraft[]): void {
    if (text !== "") into.push(this.mark({ type: "reasoning-delta", messageId: this.message, text }));
  }

  /** Whether the next streamed text of the message equals the whole text; if it differs, it is reset. */
  private isReported(message: string, whole: string, into: EventDraft[]): boolean {
    if (this.streamed[0]?.message !== message) return false;
    const text = this.streamed.shift();
    if (text === undefined || text.pieces.join("") === whole) return text !== undefined;
    this.reset(text, into);
    return false;
  }

  private abandonText({ id }: ReportedText): void {
    const isKnown = this.abandoned.some((event) => event.type === "text-reset" && event.messageId === id);
    if (!isKnown) this.abandoned.push(this.mark({ type: "text-reset", messageId: id }));
  }

  private abandonCalls(calls: readonly BegunCall[]): void {
    this.calls = this.calls.filter((call) => !calls.includes(call));
    this.abandoned.push(...calls.map(({ id }) => this.mark({ type: "tool-reset", id })));
  }

  private abandonOpen(into: EventDraft[]): void {
    if (this.open === undefined) return;
    this.reset(this.open, into);
    this.open = undefined;
  }

  private reset(text: ReportedText, into: EventDraft[]): void {
    into.push(this.mark({ type: "text-reset", messageId: text.id }));
    if (this.last?.id === text.id) this.last = undefined;
  }

  private closeOpen(into: EventDraft[]): void {
    if (this.open === undefined) return;
    into.push(this.mark({ type: "text-end", messageId: this.open.id }));
    this.open = undefined;
  }

  /** An id is never used twice: a message that comes again after a reset or another message continues the count. */
  private openText(): ReportedText {
    const text = { id: freshId(this.blockCounts, this.message), message: this.message, block: this.block, pieces: [] };
    this.texts.push(text);
    this.last = text;
    return text;
  }
}

/** The id for another use of an id of the CLI; from the second use on it has a number. */
export function freshId(used: Map<string, number>, id: string): string {
  const times = used.get(id) ?? 0;
  used.set(id, times + 1);
  return times === 0 ? id : `${id}:${times}`;
}

/** A call of the CLI; `id` is its id in the events. */
export type BookedCall = {
  readonly id: string;
  readonly name: string;
  input: JsonValue;
  state: "announced" | "complete" | "over";
};

/** The calls of a turn by the ids of the CLI, of which each stands for the call that began last with it. */
export class CallBook {
  private readonly calls = new Map<string, BookedCall>();
  private readonly used = new Map<string, number>();

  get isEmpty(): boolean {
    return this.calls.size === 0;
  }

  get(callId: string): BookedCall | undefined {
    return this.calls.get(callId);
  }

  /** Begins a call. */
  begin(callId: string, name: string, input: JsonValue = null): BookedCall {
    const call: BookedCall = { id: freshId(this.used, callId), name, input, state: "announced" };
    this.calls.set(callId, call);
    return call;
  }
}
