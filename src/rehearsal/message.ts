import { randomUUID } from "node:crypto";
import type { JsonObject, JsonValue } from "../spec/json.ts";
import { type OutputLines, toUsage } from "./output-lines.ts";

const SIGNATURE = "cmVoZWFyc2Fs";

/** One assistant message that is being printed: deltas, then the consolidated line of each block before the block is closed. */
export class Message {
  private readonly lines: OutputLines;
  private readonly read: number;
  private readonly shell: JsonObject;
  private index = 0;
  private text = "";
  private thought = "";
  private said = 0;

  constructor(lines: OutputLines, model: string, read: number) {
    this.lines = lines;
    this.read = read;
    const id = `msg_${randomUUID().replaceAll("-", "").slice(0, 24)}`;
    const usage = { ...toUsage({ read, said: 0 }), output_tokens: 1 };
    this.shell = { id, type: "message", role: "assistant", model, stop_reason: null, stop_sequence: null, usage };
    this.event({ type: "message_start", message: { ...this.shell, content: [] } });
  }

  /** The text of the block that is open, or empty. */
  openText(): string {
    return this.text;
  }

  /** Adds a piece to the open text block; opens one if none is open. */
  addText(piece: string): void {
    if (this.text === "") this.open({ type: "text", text: "" });
    this.text += piece;
    this.delta({ type: "text_delta", text: piece }, piece);
  }

  /** Prints the whole block again as the CLI does, then closes it. */
  endText(): void {
    this.close({ type: "text", text: this.text });
    this.text = "";
  }

  /** Adds a piece to the open thought; opens one if none is open. */
  addThought(piece: string): void {
    if (this.thought === "") this.open({ type: "thinking", thinking: "", signature: "" });
    this.thought += piece;
    this.delta({ type: "thinking_delta", thinking: piece }, piece);
  }

  /** Prints the whole thought again as the CLI does, then closes it. */
  endThought(): void {
    this.delta({ type: "signature_delta", signature: SIGNATURE });
    this.close({ type: "thinking", thinking: this.thought, signature: SIGNATURE });
    this.thought = "";
  }

  /** Prints a complete tool call; its input is sent in two pieces. */
  toolUse(id: string, name: string, input: JsonValue): void {
    const json = JSON.stringify(input);
    const middle = Math.ceil(json.length / 2);
    this.open({ type: "tool_use", id, name, input: {} });
    for (const piece of [json.slice(0, middle), json.slice(middle)])
      this.delta({ type: "input_json_delta", partial_json: piece }, piece);
    this.close({ type: "tool_use", id, name, input });
  }

  stop(reason: "end_turn" | "tool_use"): void {
    const usage = toUsage({ read: this.read, said: this.said });
    this.event({ type: "message_delta", delta: { stop_reason: reason, stop_sequence: null }, usage });
    this.event({ type: "message_stop" });
  }

  /** Prints the text of the open block so far and leaves the message unfinished. */
  abandon(): void {
    if (this.text !== "") this.consolidated({ type: "text", text: this.text });
  }

  private open(block: JsonObject): void {
    this.event({ type: "content_block_start", index: this.index, content_block: block });
  }

  private delta(delta: JsonObject, said = ""): void {
    this.said += said.length;
    this.event({ type: "content_block_delta", index: this.index, delta });
  }

  private close(block: JsonObject): void {
    this.consolidated(block);
    this.event({ type: "content_block_stop", index: this.index });
    this.index += 1;
  }

  private consolidated(block: JsonObject): void {
    this.lines.send({ type: "assistant", message: { ...this.shell, content: [block] }, parent_tool_use_id: null });
  }

  private event(value: JsonObject): void {
    this.lines.send({ type: "stream_event", event: value, parent_tool_use_id: null });
  }
}
