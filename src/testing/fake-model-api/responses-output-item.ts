import { type JsonObject, type JsonValue, listOf, objectOf } from "../../spec/json.ts";
import type { NextId, ProtocolEvent } from "./fake-protocol.ts";
import type { CallPart, ReplyPart } from "./reply.ts";

/** One item of a response's output, with its stream events, which do not have their output index and sequence number yet. */
export type OutputItem = {
  readonly added: JsonObject;
  readonly opening: readonly ProtocolEvent[];
  readonly deltas: () => Iterable<ProtocolEvent>;
  readonly closing: readonly ProtocolEvent[];
  readonly done: JsonObject;
};

/** How an item and its response end: cut off by a limit or not. */
export type ItemStatus = "completed" | "incomplete";

/** The output item of one block of an answer; `requestBody` shows which tools take free text. */
export function toOutputItem(part: ReplyPart, status: ItemStatus, requestBody: JsonValue, nextId: NextId): OutputItem {
  if (part.type === "text") return toMessageItem(part, status, nextId("msg_", 54));
  if (part.type === "reasoning") return toReasoningItem(part, nextId("rs_", 53));
  return toCallItem(part, isCustomTool(part.call.name, requestBody), nextId);
}

function toMessageItem({ pieces }: ReplyPart, status: ItemStatus, id: string): OutputItem {
  const text = pieces.join("");
  const base = { item_id: id, content_index: 0 };
  const part = { type: "output_text", annotations: [], logprobs: [], text };
  return {
    added: { id, type: "message", status: "in_progress", content: [], role: "assistant" },
    opening: [{ type: "response.content_part.added", ...base, part: { ...part, text: "" } }],
    deltas: () => toDeltas("response.output_text.delta", { ...base, logprobs: [] }, pieces),
    closing: [
      { type: "response.output_text.done", ...base, logprobs: [], text },
      { type: "response.content_part.done", ...base, part },
    ],
    done: { id, type: "message", status, content: [part], role: "assistant" },
  };
}

function toReasoningItem({ pieces }: ReplyPart, id: string): OutputItem {
  const text = pieces.join("");
  const base = { item_id: id, summary_index: 0 };
  const part = { type: "summary_text", text };
  return {
    added: { id, type: "reasoning", summary: [] },
    opening: [{ type: "response.reasoning_summary_part.added", ...base, part: { ...part, text: "" } }],
    deltas: () => toDeltas("response.reasoning_summary_text.delta", base, pieces),
    closing: [
      { type: "response.reasoning_summary_text.done", ...base, text },
      { type: "response.reasoning_summary_part.done", ...base, part },
    ],
    done: { id, type: "reasoning", summary: [part], encrypted_content: "RmFrZSByZWFzb25pbmc=" },
  };
}

function toCallItem({ call, pieces }: CallPart, custom: boolean, nextId: NextId): OutputItem {
  const [type, field, event] = custom
    ? ["custom_tool_call", "input", "response.custom_tool_call_input"]
    : ["function_call", "arguments", "response.function_call_arguments"];
  const id = nextId(custom ? "ctc_" : "fc_", 53);
  const whole = pieces.join("");
  const namespace = call.namespace === undefined ? {} : { namespace: call.namespace };
  const item = {
    id,
    type,
    status: "in_progress",
    [field]: "",
    call_id: call.id ?? nextId("call_", 29),
    name: call.name,
    ...namespace,
  };
  return {
    added: item,
    opening: [],
    deltas: () => toDeltas(`${event}.delta`, { item_id: id }, pieces),
    closing: [{ type: `${event}.done`, item_id: id, [field]: whole }],
    done: { ...item, status: "completed", [field]: whole },
  };
}

function* toDeltas(type: string, base: JsonObject, pieces: readonly string[]): Iterable<ProtocolEvent> {
  for (const delta of pieces) yield { ...base, type, delta };
}

/** Requests for newer models have the tools in an item of the input, and in namespaces. */
function isCustomTool(name: string, requestBody: JsonValue): boolean {
  const holders = [requestBody, ...listOf(objectOf(requestBody)?.["input"])];
  return holders.flatMap(listTools).some((tool) => tool["type"] === "custom" && tool["name"] === name);
}

function listTools(holder: JsonValue): readonly JsonObject[] {
  const tools = listOf(objectOf(holder)?.["tools"]);
  return tools.flatMap((tool) => [objectOf(tool) ?? {}, ...listTools(tool)]);
}
