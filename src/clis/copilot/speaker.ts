import { MessageLane } from "../../dialects/message-lane.ts";
import type { EventDraft } from "../../spec/events.ts";

/**
 * The messages of the main speaker or of a sub-agent. A message that the output limit cut is never completed: the turn ends,
 * and the model is asked to go on in another message. Here they are one.
 */
export class CopilotSpeaker {
  readonly lane: MessageLane;
  /** How often this turn was tried again. */
  retries = 0;
  /** The message that is being streamed, and the one as whose part it is said. */
  private message = "";
  private whole = "";
  /** What was said of the whole before this message, and in all, until it is complete. */
  private before = "";
  private said = "";
  private isCut = false;

  constructor(textsSaid: Map<string, number>, parentToolId?: string) {
    this.lane = new MessageLane(textsSaid, parentToolId);
  }

  /** A message begins; it goes on with one that was cut, and any other that is unfinished is void. */
  begin(message: string, into: EventDraft[]): void {
    if (this.isCut) this.goOn(message);
    else this.beginAnew(message, into);
  }

  /** A piece of a message. */
  add(message: string, text: string, into: EventDraft[]): void {
    if (message !== this.message) this.begin(message, into);
    this.said += text;
    this.lane.addText(text, into);
  }

  /** The text of a message is complete; gives the id under which it was said, if there was any text. */
  complete(message: string, content: string, into: EventDraft[]): string | undefined {
    if (this.isCut && message !== this.message) this.goOn(message);
    const isPart = message === this.message && this.before !== "";
    const text = isPart ? this.before + content : content;
    this.lane.settleText(isPart ? this.whole : message, text, into);
    this.forget(message);
    return text === "" ? undefined : this.lane.last?.id;
  }

  /** A turn begins. */
  startTurn(): void {
    this.retries = 0;
  }

  /** A turn is over; a message that is not complete by then was cut. */
  endTurn(): void {
    this.isCut = this.said !== "";
  }

  /** The turn is tried again: its unfinished text comes again under another id. */
  retryTurn(into: EventDraft[]): void {
    this.retries += 1;
    this.beginAnew("", into);
  }

  private goOn(message: string): void {
    this.isCut = false;
    this.message = message;
    this.before = this.said;
  }

  private beginAnew(message: string, into: EventDraft[]): void {
    this.forget(message);
    this.whole = message;
    this.lane.beginMessage(message, into);
  }

  private forget(message: string): void {
    this.message = message;
    this.before = "";
    this.said = "";
    this.isCut = false;
  }
}
