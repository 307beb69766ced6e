import { sendLine } from "../../dialects/kit/lines.ts";
import { type JsonObject, type JsonValue, listOf, objectOf, parseJson, stringOf } from "../../spec/json.ts";
import type { ToolDefinition } from "../../spec/message.ts";
import type { Variables } from "../../spec/provider/cli-data.ts";
import type { PermissionAnswer, PermissionQuestion, ToolAnswer } from "../../spec/stream.ts";
import { NO_STEP } from "../../spec/wire/define-wire.ts";
import type { EventDraft } from "../../spec/wire/events.ts";
import type { WireStep } from "../../spec/wire/wire.ts";
import type { CodexTool } from "./items.ts";

const TOOLS: Variables = {
  "item/commandExecution/requestApproval": "command_execution",
  "item/fileChange/requestApproval": "file_change",
};

/** True for a request of Codex that asks whether a tool may run. */
export function isApproval(message: JsonObject): boolean {
  return message["id"] !== undefined && Object.hasOwn(TOOLS, stringOf(message["method"]) ?? "");
}

type OpenQuestion = { readonly id: JsonValue; readonly input: JsonValue };

export class TurnQuestions {
  private readonly open = new Map<string, OpenQuestion>();

  /** Asks the host; the item of the request and the request itself say what would run. */
  ask(message: JsonObject, toolOf: (id: string) => CodexTool | undefined): WireStep {
    const params = objectOf(message["params"]) ?? {};
    const id = stringOf(params["itemId"]) ?? "";
    const input = { ...objectOf(toolOf(id)?.input), ...asked(params) };
    const isDescription = isNothing(input["command"]) && !areShown(listOf(input["changes"]));
    const question: PermissionQuestion = {
      requestId: String(message["id"]),
      name: TOOLS[stringOf(message["method"]) ?? ""] ?? "",
      input: Object.keys(input).length === 0 ? null : input,
      ...(isDescription && { isDescription }),
    };
    this.open.set(question.requestId, { id: message["id"] ?? null, input: question.input });
    return { events: [{ type: "permission-request", ...question, id }], asks: [question] };
  }

  /** Codex runs the tool as it is or not at all, so a host that changes the input has not allowed what would run. */
  answer(requestId: string, answer: PermissionAnswer): WireStep {
    const question = this.open.get(requestId);
    if (question === undefined) return NO_STEP;
    this.open.delete(requestId);
    const changed =
      answer.behavior === "allow" && answer.updatedInput !== undefined && !isSame(answer.updatedInput, question.input);
    const decision = answer.behavior === "allow" && !changed ? "accept" : "decline";
    const message = "Codex cannot change the input of a tool, so the tool does not run.";
    return {
      events: changed ? [{ type: "warning", code: "input-unchangeable", message }] : [],
      send: [sendLine({ id: question.id, result: { decision } })],
    };
  }
}

/** What would be allowed by an answer. A request about a part of a command has the command of that part. */
const ASKED: readonly string[] = ["command", "reason", "networkApprovalContext", "additionalPermissions", "grantRoot"];

function asked(params: JsonObject): JsonObject {
  const given = ASKED.filter((field) => !isNothing(params[field])).map((field) => [field, params[field]]);
  // `writeStdin` is a text for a command that runs already.
  const kind = isNothing(params["kind"]) || params["kind"] === "command" ? {} : { kind: params["kind"] };
  return { ...Object.fromEntries(given), ...kind };
}

/** True if each change says what it does to its file. */
function areShown(changes: readonly JsonValue[]): boolean {
  return changes.length > 0 && changes.every((change) => stringOf(objectOf(change)?.["diff"]) !== undefined);
}

function isNothing(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || JSON.stringify(value) === "[]";
}

function isSame(one: JsonValue, other: JsonValue): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

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
