import type { EventDraft } from "../spec/events.ts";

/** A text block of a message, as far as it was said. */
type SaidText = { readonly id: string; readonly message: string; readonly block: number; readonly pieces: string[] };

/** A call of the message that was begun. */
type BegunCall = { readonly id: string; readonly block: number; isComplete: boolean };

/**
 * The assistant messages of one speaker, the main one or a sub-agent, told apart by message id: says each text once,
 * whether it came in pieces, as a whole, or both, and takes back what the CLI abandoned.
 */
export class MessageLane {
  readonly parentToolId: string | undefined;
  /** The last text that was said and not taken back, complete or not. */
  last: { readonly id: string; readonly pieces: readonly string[] } | undefined;
  private open: SaidText | undefined;
  /** Texts that were streamed to their end and whose whole text the CLI has yet to give. */
  private streamed: SaidText[] = [];
  private message = "";
  /** The number of the block that is being streamed. */
  private block = 0;
  /** What the message that was begun has said so far. */
  private texts: SaidText[] = [];
  private calls: BegunCall[] = [];
  /** What the CLI gave up; it is void when the CLI says something else, and stays what was said last when it does not. */
  private abandoned: EventDraft[] = [];
  private readonly blocksSaid: Map<string, number>;
  private readonly reasonedMessages = new Set<string>();

  /** The speakers of a run share the count of blocks said by message id, so that no id is used twice. */
  constructor(blocksSaid: Map<string, number>, parentToolId?: string) {
    this.blocksSaid = blocksSaid;
    this.parentToolId = parentToolId;
  }

  /** A message begins; text of another one that is still unfinished is void, and so is what was abandoned. */
  beginMessage(id: string, into: EventDraft[]): void {
    this.abandonOpen(into);
    this.takeBackAbandoned(into);
    this.streamed = [];
    this.texts = [];
    this.calls = [];
    this.message = id;
  }

  /** A block of the message begins; with the call that it is. */
  beginBlock(block: number, callId?: string): void {
    this.block = block;
    if (callId !== undefined) this.calls.push({ id: callId, block, isComplete: false });
  }

  /** All of a call was said. */
  completeCall(id: string): void {
    for (const call of this.calls) if (call.id === id) call.isComplete = true;
  }

  /** The CLI gave up the message from a block on, although it had ended the blocks (fixture v325-stream-cut-once). */
  abandonFrom(block: number): void {
    for (const text of this.texts) if (text.block >= block) this.abandonText(text);
    this.abandonCalls(this.calls.filter((call) => call.block >= block));
  }

  /** The CLI asks its service again: what it streamed and has not given whole since then it gave up. */
  abandonUnsettled(): void {
    for (const text of this.streamed) this.abandonText(text);
    this.abandonCalls(this.calls.filter((call) => !call.isComplete));
  }

  /** The CLI gives a message whole; what it abandoned of another one is void now. */
  turnTo(message: string, into: EventDraft[]): void {
    if (this.message !== message) this.takeBackAbandoned(into);
    this.message = message;
  }

  private takeBackAbandoned(into: EventDraft[]): void {
    for (const event of this.abandoned) {
      into.push(event);
      if (event.type === "text-reset" && this.last?.id === event.messageId) this.last = undefined;
    }
    this.abandoned = [];
  }

  /** A piece of text of the message that was begun. */
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

  /** The CLI gives the whole text of a block, streamed before or not, ended or not. */
  settleText(message: string, whole: string, into: EventDraft[]): void {
    if (this.open?.message !== message) this.abandonOpen(into);
    this.turnTo(message, into);
    if (this.open === undefined && this.isSaid(message, whole, into)) return;
    const said = this.open?.pieces.join("") ?? "";
    if (!whole.startsWith(said)) this.abandonOpen(into);
    this.addText(this.open === undefined ? whole : whole.slice(said.length), into);
    this.closeOpen(into);
  }

  /** Says a text that belongs to no streamed message, under an id of its own. */
  sayApart(id: string, text: string, into: EventDraft[]): void {
    this.abandonOpen(into);
    this.takeBackAbandoned(into);
    this.last = { id, pieces: [text] };
    into.push(this.mark({ type: "text-delta", messageId: id, text }), this.mark({ type: "text-end", messageId: id }));
  }

  /** A piece of reasoning of the message that was begun. */
  addReasoning(text: string, into: EventDraft[]): void {
    this.reasonedMessages.add(this.message);
    this.sayReasoning(text, into);
  }

  /** The CLI gives the whole of a block of reasoning; it is said only when none of that message was streamed. */
  settleReasoning(message: string, whole: string, into: EventDraft[]): void {
    this.turnTo(message, into);
    if (!this.reasonedMessages.has(message)) this.sayReasoning(whole, into);
  }

  /** Adds the sub-agent's call to an event. */
  mark(draft: EventDraft): EventDraft {
    return this.parentToolId === undefined ? draft : { ...draft, parentToolId: this.parentToolId };
  }

  private sayReasoning(text: string, into: EventDraft[]): void {
    if (text !== "") into.push(this.mark({ type: "reasoning-delta", messageId: this.message, text }));
  }

  /** Whether the next streamed text of the message is the one that is given whole now; if it is another, it is taken back. */
  private isSaid(message: string, whole: string, into: EventDraft[]): boolean {
    if (this.streamed[0]?.message !== message) return false;
    const said = this.streamed.shift();
    if (said === undefined || said.pieces.join("") === whole) return said !== undefined;
    this.takeBack(said, into);
    return false;
  }

  private abandonText({ id }: SaidText): void {
    const isKnown = this.abandoned.some((event) => event.type === "text-reset" && event.messageId === id);
    if (!isKnown) this.abandoned.push(this.mark({ type: "text-reset", messageId: id }));
  }

  private abandonCalls(calls: readonly BegunCall[]): void {
    this.calls = this.calls.filter((call) => !calls.includes(call));
    this.abandoned.push(...calls.map(({ id }) => this.mark({ type: "tool-reset", id })));
  }

  private abandonOpen(into: EventDraft[]): void {
    if (this.open === undefined) return;
    this.takeBack(this.open, into);
    this.open = undefined;
  }

  private takeBack(text: SaidText, into: EventDraft[]): void {
    into.push(this.mark({ type: "text-reset", messageId: text.id }));
    if (this.last?.id === text.id) this.last = undefined;
  }

  private closeOpen(into: EventDraft[]): void {
    if (this.open === undefined) return;
    into.push(this.mark({ type: "text-end", messageId: this.open.id }));
    this.open = undefined;
  }

  /** Ids are never used again: a message that comes back after a reset or another message goes on counting. */
  private openText(): SaidText {
    const said = this.blocksSaid.get(this.message) ?? 0;
    this.blocksSaid.set(this.message, said + 1);
    const text = {
      id: said === 0 ? this.message : `${this.message}:${said}`,
      message: this.message,
      block: this.block,
      pieces: [],
    };
    this.texts.push(text);
    this.last = text;
    return text;
  }
}
