import type { EventDraft } from "../spec/events.ts";

/** A text block of a message, as far as it was said. */
type SaidText = { readonly id: string; readonly message: string; readonly pieces: string[] };

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
  private readonly blocksSaid: Map<string, number>;
  private readonly reasonedMessages = new Set<string>();

  /** The speakers of a run share the count of blocks said by message id, so that no id is used twice. */
  constructor(blocksSaid: Map<string, number>, parentToolId?: string) {
    this.blocksSaid = blocksSaid;
    this.parentToolId = parentToolId;
  }

  /** A message begins; text of another one that is still unfinished is void. */
  beginMessage(id: string, into: EventDraft[]): void {
    this.abandonOpen(into);
    this.streamed = [];
    this.message = id;
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
    this.message = message;
    if (this.open === undefined && this.isSaid(message, whole, into)) return;
    const said = this.open?.pieces.join("") ?? "";
    if (!whole.startsWith(said)) this.abandonOpen(into);
    this.addText(this.open === undefined ? whole : whole.slice(said.length), into);
    this.closeOpen(into);
  }

  /** Says a text that belongs to no streamed message, under an id of its own. */
  sayApart(id: string, text: string, into: EventDraft[]): void {
    this.abandonOpen(into);
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
    this.message = message;
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
    const text = { id: said === 0 ? this.message : `${this.message}:${said}`, message: this.message, pieces: [] };
    this.last = text;
    return text;
  }
}
