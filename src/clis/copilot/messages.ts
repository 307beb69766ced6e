import { MessageLane } from "../../dialects/kit/message-lane.ts";
import type { EventDraft } from "../../spec/wire/events.ts";

/**
 * The messages of the main agent or of a sub-agent. A message that the output limit cut is never completed: the turn ends,
 * and the model is asked to continue in another message. The events have them as one message.
 */
export class CopilotMessages {
  readonly lane: MessageLane;
  /** How often Copilot has retried this turn. */
  retries = 0;
  /** The open message, and the first message of the text that it continues. */
  private message = "";
  private whole = "";
  /** The text before this message, and the whole text so far, until it is complete. */
  private before = "";
  private text = "";
  private isCut = false;

  constructor(textCounts: Map<string, number>, parentToolId?: string) {
    this.lane = new MessageLane(textCounts, parentToolId);
  }

  /** The message continues one that was cut; any other unfinished message is void. */
  begin(message: string, into: EventDraft[]): void {
    if (this.isCut) this.continueWith(message);
    else this.beginAnew(message, into);
  }

  add(message: string, text: string, into: EventDraft[]): void {
    if (message !== this.message) this.begin(message, into);
    this.text += text;
    this.lane.addText(text, into);
  }

  /** The text of a message is complete; returns the id of its events, if it had text. */
  complete(message: string, content: string, into: EventDraft[]): string | undefined {
    if (this.isCut && message !== this.message) this.continueWith(message);
    const isPart = message === this.message && this.before !== "";
    const text = isPart ? this.before + content : content;
    this.lane.settleText(isPart ? this.whole : message, text, into);
    this.clear(message);
    return text === "" ? undefined : this.lane.last?.id;
  }

  startTurn(): void {
    this.retries = 0;
  }

  /** A message that is not complete by then was cut. */
  endTurn(): void {
    this.isCut = this.text !== "";
  }

  /** Copilot retries the turn: its unfinished text comes again under another id. */
  retryTurn(into: EventDraft[]): void {
    this.retries += 1;
    this.beginAnew("", into);
  }

  private continueWith(message: string): void {
    this.isCut = false;
    this.message = message;
    this.before = this.text;
  }

  private beginAnew(message: string, into: EventDraft[]): void {
    this.clear(message);
    this.whole = message;
    this.lane.beginMessage(message, into);
  }

  private clear(message: string): void {
    this.message = message;
    this.before = "";
    this.text = "";
    this.isCut = false;
  }
}
