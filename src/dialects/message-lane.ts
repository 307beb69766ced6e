import type { EventDraft } from "../spec/events.ts";

/** The text of one message block that is being said. */
type OpenText = { readonly id: string; readonly message: string; readonly pieces: string[] };

/**
 * The assistant messages of one speaker, the main one or a sub-agent, told apart by message id: says each text once,
 * whether it came in pieces, as a whole, or both, and takes back what the CLI abandoned.
 */
export class MessageLane {
  readonly parentToolId: string | undefined;
  /** The last text that was said, complete or not. */
  last: { readonly id: string; readonly pieces: readonly string[] } | undefined;
  private open: OpenText | undefined;
  private message = "";
  private blocksSaid = 0;
  private reasonedMessage: string | undefined;

  constructor(parentToolId?: string) {
    this.parentToolId = parentToolId;
  }

  /** A message begins; text of another one that is still unfinished is void. */
  beginMessage(id: string, into: EventDraft[]): void {
    this.abandonOpen(into);
    this.enter(id);
  }

  /** A piece of text of the message that was begun. */
  addText(text: string, into: EventDraft[]): void {
    if (text === "") return;
    this.open ??= this.openText();
    this.open.pieces.push(text);
    into.push(this.mark({ type: "text-delta", messageId: this.open.id, text }));
  }

  /** The text block that is open is complete. */
  endText(into: EventDraft[]): void {
    if (this.open === undefined) return;
    into.push(this.mark({ type: "text-end", messageId: this.open.id }));
    this.open = undefined;
    this.blocksSaid += 1;
  }

  /** The CLI gives the whole text of a block, streamed before or not. */
  settleText(message: string, whole: string, into: EventDraft[]): void {
    if (this.open !== undefined && this.open.message !== message) this.abandonOpen(into);
    this.enter(message);
    const said = this.open?.pieces.join("") ?? "";
    if (!whole.startsWith(said)) this.abandonOpen(into);
    this.addText(this.open === undefined ? whole : whole.slice(said.length), into);
    this.endText(into);
  }

  /** Says a text that belongs to no streamed message, under an id of its own. */
  sayApart(id: string, text: string, into: EventDraft[]): void {
    this.abandonOpen(into);
    this.last = { id, pieces: [text] };
    into.push(this.mark({ type: "text-delta", messageId: id, text }), this.mark({ type: "text-end", messageId: id }));
  }

  /** A piece of reasoning of the message that was begun. */
  addReasoning(text: string, into: EventDraft[]): void {
    if (text === "") return;
    this.reasonedMessage = this.message;
    into.push(this.mark({ type: "reasoning-delta", messageId: this.message, text }));
  }

  /** The CLI gives the whole reasoning of a message; it is said only when none of it was streamed. */
  settleReasoning(message: string, whole: string, into: EventDraft[]): void {
    this.enter(message);
    if (this.reasonedMessage !== message) this.addReasoning(whole, into);
  }

  /** Adds the sub-agent's call to an event. */
  mark(draft: EventDraft): EventDraft {
    return this.parentToolId === undefined ? draft : { ...draft, parentToolId: this.parentToolId };
  }

  private abandonOpen(into: EventDraft[]): void {
    if (this.open === undefined) return;
    into.push(this.mark({ type: "text-reset", messageId: this.open.id }));
    this.open = undefined;
    this.last = undefined;
    this.blocksSaid += 1;
  }

  private enter(message: string): void {
    if (message === this.message) return;
    this.message = message;
    this.blocksSaid = 0;
  }

  private openText(): OpenText {
    const id = this.blocksSaid === 0 ? this.message : `${this.message}:${this.blocksSaid}`;
    const open = { id, message: this.message, pieces: [] };
    this.last = open;
    return open;
  }
}
