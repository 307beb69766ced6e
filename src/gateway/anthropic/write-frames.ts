import type { AnswerPart } from "../../doors/answer-part.ts";
import { estimateTokens } from "../../doors/estimate-tokens.ts";
import type { Failure } from "../../spec/failure/failure.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { AnswerHead, Frame, FrameWriter } from "../protocol.ts";
import { errorBody } from "./write-error.ts";
import { blockOf, emptyMessage, resultUsage, SIGNATURE, stopOf, usageOf } from "./write-message.ts";

/** Writes an answer as Anthropic's events: the message begins, its blocks follow one another, and it ends with the usage. */
export class MessageFrames implements FrameWriter {
  private readonly head: AnswerHead;
  /** The type of the open block. */
  private open: "text" | "thinking" | undefined;
  private blocks = 0;

  constructor(head: AnswerHead) {
    this.head = head;
  }

  /** The input is estimated, because most CLIs tell its tokens only at their end. The last event has the real number. */
  begin(): readonly Frame[] {
    const usage = usageOf({ inputTokens: estimateTokens(this.head.asked.request) });
    return [frame({ type: "message_start", message: { ...emptyMessage(this.head), usage } }), frame({ type: "ping" })];
  }

  write(parts: readonly AnswerPart[]): readonly Frame[] {
    return parts.flatMap((part) => this.writePart(part));
  }

  fail(failure: Failure): readonly Frame[] {
    return [frame(errorBody(failure, this.head.id))];
  }

  private writePart(part: AnswerPart): readonly Frame[] {
    if (part.type === "end") return this.end(part);
    const block = blockOf(part, this.head.asked.wantsReasoning === true);
    if (block === undefined) return [];
    switch (part.type) {
      case "text":
        return [...this.begun("text", { ...block, text: "" }), this.delta({ type: "text_delta", text: part.text })];
      case "reasoning": {
        const begun = this.begun("thinking", { ...block, thinking: "", signature: "" });
        return [...begun, this.delta({ type: "thinking_delta", thinking: part.text })];
      }
      default:
        return this.call(block);
    }
  }

  /** The frames that begin a block; none if one of its type is open. */
  private begun(type: "text" | "thinking", block: JsonObject): readonly Frame[] {
    if (this.open === type) return [];
    const closed = this.close();
    this.open = type;
    return [...closed, this.start(block)];
  }

  private call(block: JsonObject): readonly Frame[] {
    const closed = this.close();
    const start = this.start({ ...block, input: {} });
    const input = this.delta({ type: "input_json_delta", partial_json: JSON.stringify(block["input"]) });
    return [...closed, start, input, this.stop()];
  }

  private end(part: Extract<AnswerPart, { type: "end" }>): readonly Frame[] {
    const usage = resultUsage(part.result);
    return [...this.close(), frame({ type: "message_delta", delta: stopOf(part), usage }), frame({ type: "message_stop" })];
  }

  private close(): readonly Frame[] {
    const { open } = this;
    if (open === undefined) return [];
    this.open = undefined;
    const signature = open === "thinking" ? [this.delta({ type: "signature_delta", signature: SIGNATURE })] : [];
    return [...signature, this.stop()];
  }

  private start(block: JsonObject): Frame {
    this.blocks += 1;
    return frame({ type: "content_block_start", index: this.blocks - 1, content_block: block });
  }

  private delta(delta: JsonObject): Frame {
    return frame({ type: "content_block_delta", index: this.blocks - 1, delta });
  }

  private stop(): Frame {
    return frame({ type: "content_block_stop", index: this.blocks - 1 });
  }
}

function frame(data: JsonObject & { readonly type: string }): Frame {
  return { event: data.type, data };
}
