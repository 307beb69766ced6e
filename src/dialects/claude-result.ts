import type { Fault, TurnEnd } from "../spec/dialect.ts";
import type { EventDraft } from "../spec/events.ts";
import type { JsonObject } from "../spec/json.ts";
import type { Finish } from "../spec/result.ts";
import { listOf, numberOf, objectOf, stringOf } from "./json-access.ts";
import type { MessageLane } from "./message-lane.ts";

/** What the turn said before its `result` line. */
export type TurnSoFar = {
  readonly main: MessageLane;
  /** The CLI's word for an error, from its synthetic assistant message. */
  readonly errorWord: string | undefined;
  readonly costBeforeUsd: number;
};

/** Reads the `result` line: denials, the declared answer, the object and usage go to `into`; what it declares is returned. */
export function readResult(line: JsonObject, turn: TurnSoFar, into: EventDraft[]): TurnEnd {
  for (const denial of listOf(line["permission_denials"])) {
    const { tool_use_id: id, tool_name: name, tool_input: input } = objectOf(denial) ?? {};
    into.push({ type: "permission-denied", id: stringOf(id) ?? "", name: stringOf(name) ?? "", input: input ?? null });
  }
  const fault = readFault(line, turn.errorWord);
  const answerId = fault === undefined ? sayDeclaredAnswer(line, turn.main, into) : undefined;
  const object = line["structured_output"];
  if (object !== undefined) into.push({ type: "object-delta", object });
  pushUsage(line, turn.costBeforeUsd, into);
  return { finish: readFinish(line, fault), ...(answerId !== undefined && { answerId }), ...(fault && { fault }) };
}

/** `subtype` stays "success" for API errors: only `is_error` tells (fixture error-401). */
function readFault(line: JsonObject, errorWord: string | undefined): Fault | undefined {
  const subtype = stringOf(line["subtype"]) ?? "";
  if (line["is_error"] !== true && !subtype.startsWith("error")) return undefined;
  const errors = listOf(line["errors"]).filter((entry) => typeof entry === "string");
  const message = stringOf(line["result"]) || errors.join("; ") || subtype;
  const status = numberOf(line["api_error_status"]);
  const kind = readKind(line, subtype) ?? errorWord;
  return { message, event: errorEvent(line), ...(kind !== undefined && { kind }), ...(status !== undefined && { status }) };
}

function readKind(line: JsonObject, subtype: string): string | undefined {
  if (stringOf(line["terminal_reason"])?.startsWith("aborted_")) return "aborted";
  if (line["stop_reason"] === "refusal") return "refusal";
  return subtype.startsWith("error_max_") ? subtype : undefined;
}

function errorEvent(line: JsonObject): JsonObject {
  const kept = ["type", "subtype", "is_error", "api_error_status", "result", "errors", "terminal_reason", "stop_reason"];
  return Object.fromEntries(Object.entries(line).filter(([key]) => kept.includes(key)));
}

function readFinish(line: JsonObject, fault: Fault | undefined): Finish {
  if (fault?.kind === "aborted") return "cancelled";
  if (fault?.kind === "max_output_tokens") return "length";
  if (fault !== undefined) return "error";
  if (line["stop_reason"] === "max_tokens") return "length";
  return line["stop_reason"] === "refusal" ? "content-filter" : "stop";
}

function sayDeclaredAnswer(line: JsonObject, main: MessageLane, into: EventDraft[]): string | undefined {
  const declared = stringOf(line["result"]);
  if (declared === undefined || declared === "") return undefined;
  if (main.last !== undefined && main.last.pieces.join("") === declared) {
    main.endText(into);
    return main.last.id;
  }
  const uuid = stringOf(line["uuid"]);
  const id = uuid === undefined ? "result" : `result:${uuid}`;
  main.sayApart(id, declared, into);
  return id;
}

/** All counts zero means that nobody counted: an interrupted turn says so although it spent (fixture killed-sigint). */
function pushUsage(line: JsonObject, costBeforeUsd: number, into: EventDraft[]): void {
  const counts = objectOf(line["usage"]);
  if (counts === undefined) return;
  const fresh = numberOf(counts["input_tokens"]) ?? 0;
  const cacheWriteTokens = numberOf(counts["cache_creation_input_tokens"]) ?? 0;
  const cacheReadTokens = numberOf(counts["cache_read_input_tokens"]) ?? 0;
  const outputTokens = numberOf(counts["output_tokens"]) ?? 0;
  const inputTokens = fresh + cacheWriteTokens + cacheReadTokens;
  const totalTokens = inputTokens + outputTokens;
  if (totalTokens === 0) return;
  const total = numberOf(line["total_cost_usd"]);
  const usage = { inputTokens, outputTokens, totalTokens, cacheReadTokens, cacheWriteTokens, estimated: false, scope: "turn" } as const;
  into.push({ type: "usage", usage, ...(total !== undefined && { costUsd: roundUsd(total - costBeforeUsd) }) });
}

/** The CLI's cost counts up over the process (fixture input-stream-three); the difference of two floats gathers noise. */
function roundUsd(amount: number): number {
  return Number(amount.toFixed(10));
}
