import { randomUUID } from "node:crypto";
import {
  type Block,
  BlockWriter,
  callBlock,
  emptyMessage,
  endEvents,
  type MessageEvent,
  stopOf,
  textBlock,
  thinkingBlock,
} from "../formats/anthropic.ts";
import type { JsonObject, JsonValue } from "../spec/json.ts";
import { type OutputLines, toUsage } from "./output-lines.ts";

const SIGNATURE = "cmVoZWFyc2Fs";

/** One assistant message that is being printed: deltas, then the consolidated line of each block before the block is closed. */
export class Message {
  private readonly lines: OutputLines;
  private readonly read: number;
  private readonly shell: JsonObject;
  private readonly blocks = new BlockWriter(SIGNATURE);
  /** What the open block says so far. */
  private text = "";
  private said = 0;

  constructor(lines: OutputLines, model: string, read: number) {
    this.lines = lines;
    this.read = read;
    const usage = { ...toUsage({ read, said: 0 }), output_tokens: 1 };
    this.shell = { ...emptyMessage(`msg_${randomUUID().replaceAll("-", "").slice(0, 24)}`, model), usage };
    this.print([{ type: "message_start", message: this.shell }]);
  }

  /** Adds a piece to the open text or thought; begins one if none is open. */
  add(type: "text" | "thinking", piece: string): void {
    if (!this.blocks.isIn(type)) this.print(this.blocks.begin(type === "text" ? textBlock() : thinkingBlock()));
    this.text += piece;
    this.piece(piece);
  }

  /** Prints the whole text or thought again, as the CLI does, before its end. */
  end(): void {
    this.endWith(this.blocks.isIn("text") ? textBlock(this.text) : thinkingBlock(this.text, SIGNATURE));
    this.text = "";
  }

  /** Prints a complete tool call; its input is sent in two pieces. */
  toolUse(id: string, name: string, input: JsonValue): void {
    const json = JSON.stringify(input);
    const middle = Math.ceil(json.length / 2);
    this.print(this.blocks.begin(callBlock({ id, name })));
    for (const piece of [json.slice(0, middle), json.slice(middle)]) this.piece(piece);
    this.endWith(callBlock({ id, name }, input));
  }

  stop(reason: "stop" | "tool-calls"): void {
    this.print(endEvents(stopOf(reason), toUsage({ read: this.read, said: this.said })));
  }

  /** Prints the text of the open block so far and leaves the message unfinished. */
  abandon(): void {
    if (this.blocks.isIn("text")) this.consolidated(textBlock(this.text));
  }

  private piece(piece: string): void {
    this.said += piece.length;
    this.print([this.blocks.piece(piece)]);
  }

  private endWith(block: Block): void {
    const events = this.blocks.end();
    this.print(events.slice(0, -1));
    this.consolidated(block);
    this.print(events.slice(-1));
  }

  private consolidated(block: Block): void {
    this.lines.send({ type: "assistant", message: { ...this.shell, content: [block] }, parent_tool_use_id: null });
  }

  private print(events: readonly MessageEvent[]): void {
    for (const event of events) this.lines.send({ type: "stream_event", event, parent_tool_use_id: null });
  }
}
