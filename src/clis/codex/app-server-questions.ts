import { sendLine } from "../../dialects/kit/lines.ts";
import { type JsonObject, type JsonValue, listOf, objectOf, stringOf } from "../../spec/json.ts";
import type { PermissionAnswer, PermissionQuestion } from "../../spec/stream.ts";
import { NO_STEP } from "../../spec/wire/define-wire.ts";
import type { WireStep } from "../../spec/wire/wire.ts";
import type { CodexTool } from "./items.ts";

const TOOLS: Readonly<Record<string, string>> = {
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
