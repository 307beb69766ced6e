import type Anthropic from "@anthropic-ai/sdk";

/** How a stream ended: with its last event, with an error, or somewhere else because the client left. */
export type StreamState = "complete" | "failed" | "cut";

type StreamEvent = Anthropic.RawMessageStreamEvent | { readonly type: "ping" } | { readonly type: "error" };

/** The deltas that each block takes. */
const DELTAS: Readonly<Record<string, readonly string[]>> = {
  text: ["text_delta"],
  thinking: ["thinking_delta", "signature_delta"],
  tool_use: ["input_json_delta"],
};

/** Reads the text of a stream and says what of it is not as Anthropic's documentation has it. */
export function findStreamBreaches(text: string): { readonly state: StreamState; readonly breaches: readonly string[] } {
  const breaches: string[] = [];
  const frames = text.split("\n\n");
  if (frames.pop() !== "") breaches.push("the stream ends within an event");
  const order = new EventOrder(breaches);
  for (const frame of frames) {
    if (frame.startsWith(":")) continue;
    const [, name = "", data = ""] = /^event: (\w+)\ndata: (.*)$/.exec(frame) ?? [];
    if (data === "") breaches.push(`not an event: ${frame}`);
    else order.take(name, JSON.parse(data));
  }
  return { state: order.state, breaches };
}

/** Follows the events of one stream. */
class EventOrder {
  state: StreamState = "cut";
  private readonly breaches: string[];
  private readonly seen = new Set<string>();
  private open: { readonly type: string; deltas: number; signatures: number } | undefined;
  private blocks = 0;

  constructor(breaches: string[]) {
    this.breaches = breaches;
  }

  take(name: string, event: StreamEvent): void {
    this.check(name === event.type, `the event ${name} has the type ${event.type}`);
    this.check(this.state === "cut", `${event.type} follows the end`);
    this.check(this.seen.has("message_start") !== (event.type === "message_start"), `${event.type} is out of place`);
    this.seen.add(event.type);
    switch (event.type) {
      case "content_block_start":
        this.check(this.open === undefined && event.index === this.blocks, `block ${event.index} begins in another one`);
        this.check(!this.seen.has("message_delta"), "a block follows the end of the message");
        this.open = { type: event.content_block.type, deltas: 0, signatures: 0 };
        return;
      case "content_block_delta":
        return this.takeDelta(event);
      case "content_block_stop":
        return this.endBlock(event.index);
      case "message_delta":
        this.check(this.open === undefined, "the message ends within a block");
        this.check(event.delta.stop_reason !== null, "the message has no stop reason");
        this.check(Number.isInteger(event.usage.output_tokens), "the message has no usage");
        return;
      case "message_stop":
        this.check(this.seen.has("message_delta"), "the message stops without a stop reason");
        this.state = "complete";
        return;
      case "error":
        this.state = "failed";
    }
  }

  private takeDelta({ index, delta }: Anthropic.RawContentBlockDeltaEvent): void {
    const { open } = this;
    if (open === undefined || index !== this.blocks) return this.check(false, `a delta of block ${index}, which is not open`);
    this.check(DELTAS[open.type]?.includes(delta.type) === true, `a ${delta.type} in a block of ${open.type}`);
    this.check(open.signatures === 0, "a delta follows the signature");
    open.deltas += 1;
    if (delta.type === "signature_delta") open.signatures += 1;
  }

  private endBlock(index: number): void {
    const { open } = this;
    if (open === undefined || index !== this.blocks) return this.check(false, `block ${index} ends, but is not open`);
    this.check(open.deltas > 0, `block ${index} is empty`);
    this.check(open.type !== "thinking" || open.signatures === 1, `the thought ${index} has no signature`);
    this.open = undefined;
    this.blocks += 1;
  }

  private check(isGood: boolean, breach: string): void {
    if (!isGood) this.breaches.push(breach);
  }
}
