import type { DialectContext, Fault, TurnEnd } from "../spec/dialect.ts";
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
  readonly context: DialectContext;
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
  pushUsage(line, turn.context, into);
  const totalCostUsd = numberOf(line["total_cost_usd"]);
  return {
    finish: readFinish(line, fault),
    ...(answerId !== undefined && { answerId }),
    ...(fault && { fault }),
    ...(totalCostUsd !== undefined && { totalCostUsd }),
  };
}

/** `subtype` stays "success" for API errors: only `is_error` tells (fixture error-401). */
function readFault(line: JsonObject, errorWord: string | undefined): Fault | undefined {
  const subtype = stringOf(line["subtype"]) ?? "";
  if (line["is_error"] !== true && !subtype.startsWith("error")) return undefined;
  const errors = listOf(line["errors"]).filter((entry) => typeof entry === "string");
  const message = (line["is_error"] === true && stringOf(line["result"])) || errors.join("; ") || subtype;
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

function pushUsage(line: JsonObject, { turnsBefore = 0, costBeforeUsd = 0 }: DialectContext, into: EventDraft[]): void {
  const counts = readCounts(line, turnsBefore === 0);
  if (counts === undefined) return;
  const { fresh, cacheWriteTokens, cacheReadTokens, outputTokens } = counts;
  const inputTokens = fresh + cacheWriteTokens + cacheReadTokens;
  const totalTokens = inputTokens + outputTokens;
  const total = numberOf(line["total_cost_usd"]);
  const usage = {
    inputTokens,
    outputTokens,
    totalTokens,
    cacheReadTokens,
    cacheWriteTokens,
    estimated: false,
    scope: "turn",
  } as const;
  into.push({ type: "usage", usage, ...(total !== undefined && { costUsd: roundUsd(total - costBeforeUsd) }) });
}

type Counts = {
  readonly fresh: number;
  readonly cacheWriteTokens: number;
  readonly cacheReadTokens: number;
  readonly outputTokens: number;
};

/**
 * All counts zero means that nobody counted, as in an interrupted turn that did spend (fixture killed-sigint). An answer that
 * came without streaming is counted by model only (fixture error-stall), and those counts add up over the process.
 */
function readCounts(line: JsonObject, isFirstTurn: boolean): Counts | undefined {
  const ofTurn = countsOf(objectOf(line["usage"]) ?? {}, [
    "input_tokens",
    "cache_creation_input_tokens",
    "cache_read_input_tokens",
    "output_tokens",
  ]);
  if (Object.values(ofTurn).some((count) => count > 0)) return ofTurn;
  if (!isFirstTurn) return undefined;
  const ofModels = Object.values(objectOf(line["modelUsage"]) ?? {}).map((model) =>
    countsOf(objectOf(model) ?? {}, ["inputTokens", "cacheCreationInputTokens", "cacheReadInputTokens", "outputTokens"]),
  );
  const total = ofModels.reduce(addCounts, countsOf({}, ["", "", "", ""]));
  return Object.values(total).some((count) => count > 0) ? total : undefined;
}

function countsOf(line: JsonObject, [fresh, written, read, output]: readonly [string, string, string, string]): Counts {
  const count = (name: string): number => numberOf(line[name]) ?? 0;
  return { fresh: count(fresh), cacheWriteTokens: count(written), cacheReadTokens: count(read), outputTokens: count(output) };
}

function addCounts(left: Counts, right: Counts): Counts {
  return {
    fresh: left.fresh + right.fresh,
    cacheWriteTokens: left.cacheWriteTokens + right.cacheWriteTokens,
    cacheReadTokens: left.cacheReadTokens + right.cacheReadTokens,
    outputTokens: left.outputTokens + right.outputTokens,
  };
}

/** The CLI's cost counts up over the process (fixture input-stream-three); the difference of two floats gathers noise. */
function roundUsd(amount: number): number {
  return Number(amount.toFixed(10));
}
