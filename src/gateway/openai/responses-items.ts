import type { JsonObject } from "../../spec/json.ts";
import type { HostCall } from "../../spec/message.ts";
import { type ClientTool, toCallText } from "./tools.ts";

/** An event of a stream, without the index of its item and its number. */
export type ItemEvent = { readonly type: string } & JsonObject;

/** An item of an output that is written piece by piece. */
export type OpenItem = {
  readonly id: string;
  readonly kind: "text" | "reasoning";
  readonly opening: readonly ItemEvent[];
  delta(text: string): ItemEvent;
  /** The events of its end, of which the last has the complete item. */
  closing(text: string, status: "completed" | "incomplete"): readonly ItemEvent[];
};

export function messageItem(id: string): OpenItem {
  const item = { id, type: "message", role: "assistant" };
  const place = { item_id: id, content_index: 0 };
  const partOf = (text: string): JsonObject => ({ type: "output_text", text, annotations: [], logprobs: [] });
  return {
    id,
    kind: "text",
    opening: [
      { type: "response.output_item.added", item: { ...item, status: "in_progress", content: [] } },
      { type: "response.content_part.added", ...place, part: partOf("") },
    ],
    delta: (text) => ({ type: "response.output_text.delta", ...place, delta: text, logprobs: [] }),
    closing: (text, status) => {
      const textDone: ItemEvent = { type: "response.output_text.done", ...place, text, logprobs: [] };
      const partDone: ItemEvent = { type: "response.content_part.done", ...place, part: partOf(text) };
      return [textDone, partDone, { type: "response.output_item.done", item: { ...item, status, content: [partOf(text)] } }];
    },
  };
}

/** The reasoning of the model, as a summary. */
export function reasoningItem(id: string): OpenItem {
  const item = { id, type: "reasoning" };
  const place = { item_id: id, summary_index: 0 };
  const partOf = (text: string): JsonObject => ({ type: "summary_text", text });
  return {
    id,
    kind: "reasoning",
    opening: [
      { type: "response.output_item.added", item: { ...item, summary: [] } },
      { type: "response.reasoning_summary_part.added", ...place, part: partOf("") },
    ],
    delta: (text) => ({ type: "response.reasoning_summary_text.delta", ...place, delta: text }),
    closing: (text) => {
      const textDone: ItemEvent = { type: "response.reasoning_summary_text.done", ...place, text };
      const partDone: ItemEvent = { type: "response.reasoning_summary_part.done", ...place, part: partOf(text) };
      return [textDone, partDone, { type: "response.output_item.done", item: { ...item, summary: [partOf(text)] } }];
    },
  };
}

/** All events of a call; the last has the complete item. */
export function callEvents(id: string, call: HostCall, tool: ClientTool | undefined): readonly ItemEvent[] {
  const isCustom = tool?.isCustom === true;
  const [type, field, event] = isCustom
    ? ["custom_tool_call", "input", "response.custom_tool_call_input"]
    : ["function_call", "arguments", "response.function_call_arguments"];
  const text = toCallText(call, tool);
  const itemId = `${isCustom ? "ctc" : "fc"}_${id}`;
  const name = tool?.name ?? call.name;
  const namespace: JsonObject = tool?.namespace === undefined ? {} : { namespace: tool.namespace };
  const item: JsonObject = { id: itemId, type, call_id: call.id, name, ...namespace };
  return [
    { type: "response.output_item.added", item: { ...item, status: "in_progress", [field]: "" } },
    { type: `${event}.delta`, item_id: itemId, delta: text },
    { type: `${event}.done`, item_id: itemId, ...(!isCustom && { name }), [field]: text },
    { type: "response.output_item.done", item: { ...item, status: "completed", [field]: text } },
  ];
}
