import { type JsonObject, type JsonValue, listOf, numberOf, objectOf, stringOf } from "../../spec/json.ts";
import type { EventDraft, Finish } from "../../spec/wire/events.ts";
import type { Fault, TurnEnd, WireStep } from "../../spec/wire/wire.ts";
import type { MessageLane } from "../kit/message-lane.ts";
import type { ClaudeState } from "./claude-state.ts";
import { startSession } from "./claude-system.ts";
import { readUsage } from "./claude-usage.ts";

/** Reads the `result` line: it ends the run if it failed, or if no background work is open or causes another turn. */
export function endTurn(state: ClaudeState, line: JsonObject): WireStep {
  const events = startSession(state, line);
  state.tasks.sawResult(line);
  const { events: spent, totals } = readUsage(state, line);
  const turnEnd: TurnEnd = { ...readResult(state, line, events), ...(totals !== undefined && { totals }) };
  // When the CLI reports several tasks together, all their turns but the last end without text.
  if (turnEnd.answerId !== undefined || turnEnd.fault !== undefined || state.declared === undefined) state.declared = turnEnd;
  else if (totals !== undefined) state.declared = { ...state.declared, totals };
  const waitsFor = turnEnd.fault === undefined ? waitingFor(state) : "nothing";
  state.isWaiting = waitsFor !== "nothing";
  return { events: [...events, ...spent], ...(state.isWaiting ? { waitsFor } : { turnEnd: state.declared }) };
}

/** Adds what a declared turn still waits for after a `system` line. */
export function waitingStep(state: ClaudeState, line: JsonObject, next: WireStep): WireStep {
  if (!state.isWaiting) return next;
  state.isWaiting = line["subtype"] !== "init";
  if (!state.isWaiting) return { ...next, waitsFor: "nothing" };
  return { ...next, waitsFor: state.tasks.open.length > 0 ? "work" : "turn" };
}

/** Ends a run whose turn is declared and waits for background work; the work is no longer waited for. */
export function giveUpWaiting(state: ClaudeState): WireStep {
  if (!state.isWaiting || state.declared === undefined) return { events: [] };
  const message = `Still at work in the background when the run ended: ${state.tasks.open.join(", ")}.`;
  const warning = state.tasks.open.length === 0 ? [] : [{ type: "warning", code: "background-unfinished", message } as const];
  return { events: warning, turnEnd: state.declared };
}

/** A task that has just ended causes a turn, even while others run: that turn ends with its own `result`. */
function waitingFor({ tasks }: ClaudeState): "work" | "turn" | "nothing" {
  if (tasks.open.length > 0) return "work";
  return tasks.isTurnDue ? "turn" : "nothing";
}

/** Writes denials, the declared answer and the object to `into`; returns the declared end. */
function readResult(state: ClaudeState, line: JsonObject, into: EventDraft[]): TurnEnd {
  for (const denial of listOf(line["permission_denials"])) {
    const { tool_use_id, tool_name: name, tool_input: input } = objectOf(denial) ?? {};
    const id = stringOf(tool_use_id) ?? "";
    if (state.denied.has(id)) continue;
    if (id !== "") state.denied.add(id);
    into.push({ type: "permission-denied", id, name: stringOf(name) ?? "", input: input ?? null });
  }
  const fault = isAnsweredOverBudget(line, state.main) ? undefined : readFault(line, state.errorWord);
  const answerId = fault === undefined ? sayDeclaredAnswer(line, state.main, into) : undefined;
  const object = line["structured_output"];
  if (object !== undefined) into.push({ type: "object-delta", object });
  return {
    finish: readFinish(line, fault),
    ...(answerId !== undefined && { answerId }),
    ...(fault && { fault }),
  };
}

/** Claude Code compares its cost with the limit after each answer of the model, also after the last one, which is complete. */
function isAnsweredOverBudget(line: JsonObject, main: MessageLane): boolean {
  return line["subtype"] === "error_max_budget_usd" && line["stop_reason"] === "end_turn" && main.last !== undefined;
}

/** `subtype` stays "success" for API errors: only `is_error` is reliable (fixture error-401). */
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
  const declared = stringOf(line["result"]) ?? (isAnsweredOverBudget(line, main) ? main.last?.pieces.join("") : undefined);
  if (declared === undefined || declared === "") return undefined;
  if (main.last !== undefined && main.last.pieces.join("") === declared) {
    main.endText(into);
    return main.last.id;
  }
  const uuid = stringOf(line["uuid"]);
  const id = uuid === undefined ? "result" : `result:${uuid}`;
  main.addSeparate(id, declared, into);
  return id;
}

/** A longer line costs more by its bytes than by its fields. */
const LONGEST_LINE = 4096;

const JSON_STRING: string = String.raw`"[^"\\\0-\x1f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\0-\x1f]*)*"`;
const DELTA: string = String.raw`\{"type":"content_block_delta","index":\d,"delta":\{"type":"text_delta","text":(${JSON_STRING})\}\}`;
const IDS: string = String.raw`(?:,"(?:session_id|uuid|api_message_id)":"[\w-]*"|,"parent_tool_use_id":null)*`;
/** A text delta of the main agent (fixture partial-text); the group is the text as a JSON string. */
const TEXT_LINE: RegExp = new RegExp(String.raw`^\{"type":"stream_event","event":${DELTA}${IDS}\}$`);

/**
 * Reads a line with a text delta without the ids that no event needs. Most lines of a long answer are these: a stream of them is
 * read in half the time that `JSON.parse` of the whole lines takes.
 */
export function readTextLine(line: string): JsonValue | undefined {
  const text = line.length > LONGEST_LINE ? undefined : TEXT_LINE.exec(line)?.[1];
  if (text === undefined) return undefined;
  const delta = { type: "text_delta", text: JSON.parse(text) as string };
  return { type: "stream_event", event: { type: "content_block_delta", delta }, parent_tool_use_id: null };
}
