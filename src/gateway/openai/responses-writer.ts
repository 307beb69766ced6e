import type { AnswerPart } from "../../doors/answer-part.ts";
import type { Failure } from "../../spec/failure/failure.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { RunResult } from "../../spec/result.ts";
import type { AnswerHead, Frame, FrameWriter } from "../protocol.ts";
import { toError } from "./error.ts";
import { callEvents, type ItemEvent, messageItem, type OpenItem, reasoningItem } from "./responses-items.ts";
import { type ClientTool, toolsByName } from "./tools.ts";
import { toResponseUsage, usageField } from "./usage.ts";

type ItemStatus = "completed" | "incomplete";

/** An item that is open, and its text so far. */
type Growing = { readonly item: OpenItem; readonly pieces: string[] };

/** Writes one answer as the events of a response; the response itself grows with them. */
export class ResponsesWriter implements FrameWriter {
  private readonly head: AnswerHead;
  private readonly tools: ReadonlyMap<string, ClientTool>;
  private readonly output: JsonObject[] = [];
  private open: Growing | undefined;
  private sequence = 0;
  private ending: JsonObject = { status: "in_progress", incomplete_details: null, error: null };

  constructor(head: AnswerHead) {
    this.head = head;
    this.tools = toolsByName(head.asked.kept?.["tools"]);
  }

  begin(): readonly Frame[] {
    return ["response.created", "response.in_progress"].map((type) => this.number({ type, response: this.response() }));
  }

  write(parts: readonly AnswerPart[]): readonly Frame[] {
    return parts.flatMap((part) => this.writePart(part));
  }

  /** The official client throws at the event `error`; Codex reads the reason from `response.failed`. */
  fail(failure: Failure): readonly Frame[] {
    const { message, code, param } = toError(failure);
    const closing = this.close("incomplete");
    this.ending = { status: "failed", incomplete_details: null, error: { code, message } };
    return [
      ...closing,
      this.number({ type: "error", code, message, param }),
      this.number({ type: "response.failed", response: this.response() }),
    ];
  }

  response(): JsonObject {
    const { id, createdAt, asked } = this.head;
    return {
      ...DEFAULTS,
      ...asked.kept,
      id: `resp_${id}`,
      object: "response",
      created_at: createdAt,
      model: asked.model,
      output: [...this.output],
      ...this.ending,
    };
  }

  private writePart(part: AnswerPart): readonly Frame[] {
    switch (part.type) {
      case "text":
      case "reasoning":
        return this.writeText(part.type, part.text);
      case "host-call":
      case "invalid-call": {
        const closing = this.close("completed");
        const events = callEvents(this.itemId(), part.call, this.tools.get(part.call.name));
        return [...closing, ...this.place(events)];
      }
      case "end":
        return this.end(part.result);
      default:
        // The tools that a CLI runs itself have no form in OpenAI's APIs.
        return [];
    }
  }

  private writeText(kind: OpenItem["kind"], text: string): readonly Frame[] {
    const { open, frames } = this.openFor(kind);
    open.pieces.push(text);
    return [...frames, ...this.place([open.item.delta(text)])];
  }

  /** The open item of this kind; an item of the other kind ends before it. */
  private openFor(kind: OpenItem["kind"]): { readonly open: Growing; readonly frames: readonly Frame[] } {
    if (this.open?.item.kind === kind) return { open: this.open, frames: [] };
    const closing = this.close("completed");
    const item = kind === "text" ? messageItem(`msg_${this.itemId()}`) : reasoningItem(`rs_${this.itemId()}`);
    const open: Growing = { item, pieces: [] };
    this.open = open;
    return { open, frames: [...closing, ...this.place(item.opening)] };
  }

  private end(result: RunResult): readonly Frame[] {
    const { finish } = result;
    const reason = finish === "length" ? "max_output_tokens" : finish === "content-filter" ? "content_filter" : undefined;
    const status = reason === undefined ? "completed" : "incomplete";
    const closing = this.close(status);
    this.ending = {
      status,
      error: null,
      incomplete_details: reason === undefined ? null : { reason },
      ...usageField(result, toResponseUsage),
    };
    return [...closing, this.number({ type: `response.${status}`, response: this.response() })];
  }

  /** Ends the item that is open, if there is one. */
  private close(status: ItemStatus): readonly Frame[] {
    if (this.open === undefined) return [];
    const { item, pieces } = this.open;
    this.open = undefined;
    return this.place(item.closing(pieces.join(""), status));
  }

  /** Gives events the index of their item; a complete item goes into the output. */
  private place(events: readonly ItemEvent[]): readonly Frame[] {
    return events.map((event) => {
      const frame = this.number({ ...event, output_index: this.output.length });
      if (event.type === "response.output_item.done") this.output.push(event["item"] as JsonObject);
      return frame;
    });
  }

  private number(event: ItemEvent): Frame {
    return { event: event.type, data: { ...event, sequence_number: this.sequence++ } };
  }

  private itemId(): string {
    return `${this.head.id}${this.output.length.toString().padStart(4, "0")}`;
  }
}

/** The fields that every response has. */
const DEFAULTS: JsonObject = {
  background: false,
  instructions: null,
  max_output_tokens: null,
  metadata: {},
  parallel_tool_calls: true,
  previous_response_id: null,
  reasoning: { effort: null, summary: null },
  store: true,
  temperature: null,
  text: { format: { type: "text" } },
  tool_choice: "auto",
  tools: [],
  top_p: null,
  truncation: "disabled",
  usage: null,
};
