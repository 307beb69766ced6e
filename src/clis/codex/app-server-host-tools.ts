import { sendLine } from "../../dialects/kit/lines.ts";
import { type JsonObject, type JsonValue, objectOf, parseJson, stringOf } from "../../spec/json.ts";
import type { ToolAnswer } from "../../spec/stream.ts";
import type { ToolDefinition } from "../../spec/tool.ts";
import { NO_STEP } from "../../spec/wire/define-wire.ts";
import type { EventDraft } from "../../spec/wire/events.ts";
import type { WireStep } from "../../spec/wire/wire.ts";

export function isHostCall(message: JsonObject): boolean {
  return message["id"] !== undefined && message["method"] === "item/tool/call";
}

/** The settings of a thread with host tools; Codex then reports the end of each answer of the model. */
export function hostToolSettings(tools: readonly ToolDefinition[]): JsonObject {
  if (tools.length === 0) return {};
  const dynamicTools = tools.map(({ name, description = "", parameters = {} }) => ({
    type: "function",
    name,
    description,
    inputSchema: { type: "object", ...parameters },
  }));
  return { dynamicTools, experimentalRawEvents: true };
}

/**
 * The host tools of one turn. Codex asks for the result of each call; a result that is given before it asks is kept. The calls are read from
 * the raw items of the model's answer, because only these always come before its end.
 */
export class CodexHostTools {
  private readonly names: ReadonlySet<string>;
  /** The calls without a result. */
  private readonly called = new Set<string>();
  private readonly open = new Map<string, JsonValue>();
  private readonly answers = new Map<string, ToolAnswer>();

  constructor(tools: readonly ToolDefinition[]) {
    this.names = new Set(tools.map(({ name }) => name));
  }

  /** Codex asks for a result. */
  ask(message: JsonObject): WireStep {
    const params = objectOf(message["params"]) ?? {};
    const [id, name] = [stringOf(params["callId"]) ?? "", stringOf(params["tool"]) ?? ""];
    const known = this.answers.get(id);
    this.answers.delete(id);
    this.open.set(id, message["id"] ?? null);
    if (known !== undefined) return this.answer(id, known);
    return { events: [], asks: [{ kind: "tool", requestId: id, call: { id, name, args: objectOf(params["arguments"]) ?? {} } }] };
  }

  /** Sends a result, or keeps it until Codex asks. */
  answer(callId: string, answer: ToolAnswer): WireStep {
    const open = this.open.get(callId);
    if (open === undefined) {
      this.answers.set(callId, answer);
      return NO_STEP;
    }
    this.open.delete(callId);
    const result = { contentItems: [{ type: "inputText", text: answer.text }], success: !answer.isError };
    return { events: [], send: [sendLine({ id: open, result })] };
  }

  /** Reads an item of the model's answer: a call has begun. Codex itself answers a call whose arguments are no JSON. */
  readRaw(item: JsonObject): readonly EventDraft[] {
    const [id, name] = [stringOf(item["call_id"]) ?? "", stringOf(item["name"]) ?? ""];
    const input = item["type"] === "function_call" ? parseJson(stringOf(item["arguments"]) ?? "") : undefined;
    if (input === undefined || !this.names.has(name)) return [];
    this.called.add(id);
    return [
      { type: "tool-start", id, name },
      { type: "tool-call", id, name, input, executor: "host" },
    ];
  }

  /** Reads an item of the turn: a call has ended. Undefined for an item that is no call of a host tool. */
  read(item: JsonObject, isComplete: boolean): readonly EventDraft[] | undefined {
    if (item["type"] !== "dynamicToolCall") return undefined;
    const id = stringOf(item["id"]) ?? "";
    if (!isComplete) return [];
    this.called.delete(id);
    return [{ type: "tool-end", id, output: outputOf(item), isError: item["success"] === false }];
  }

  /** The model's answer is complete: all its calls are known. */
  sawResponse(): WireStep {
    return this.called.size === 0 ? NO_STEP : { events: [], awaitsResults: true };
  }
}

function outputOf(item: JsonObject): JsonValue {
  const { contentItems } = item;
  if (!Array.isArray(contentItems)) return null;
  return contentItems.map((entry: JsonValue) => stringOf(objectOf(entry)?.["text"]) ?? "").join("\n");
}
