import { defined, type JsonObject, listOf, numberOf, objectOf, stringOf } from "../../spec/json.ts";
import { NO_STEP } from "../../spec/wire/define-wire.ts";
import type { EventDraft, Finish } from "../../spec/wire/events.ts";
import type { Fault, TurnEnd, WireStep } from "../../spec/wire/wire.ts";
import { serverUnavailable } from "../kit/lines.ts";
import type { MessageLane } from "../kit/message-lane.ts";
import { type ClaudeState, laneOf } from "./claude-state.ts";
import type { TurnReport } from "./claude-usage.ts";

/** Reads a `system` line: the session, MCP servers that failed to start, the CLI's own retries and model changes. */
export function readSystem(state: ClaudeState, line: JsonObject): WireStep {
  switch (line["subtype"]) {
    case "init":
      return readInit(state, line);
    case "api_retry":
      state.main.abandonUnsettled();
      return { events: [readRetry(line)] };
    case "model_fallback":
      return {
        events: [{ type: "warning", code: "model-fallback", message: stringOf(line["content"]) ?? "The CLI changed the model." }],
      };
    case "informational":
      return { events: [{ type: "warning", code: "cli-warning", message: stringOf(line["content"]) ?? "" }] };
    case "background_tasks_changed":
    case "task_started":
    case "task_updated":
    case "task_notification":
      state.tasks.read(line);
      return NO_STEP;
    case "hook_started":
    case "hook_progress":
    case "hook_response":
      return { events: [], isHeartbeat: true };
    case "permission_denied":
      return readDenial(state, line);
    default:
      return isKnown(stringOf(line["subtype"]) ?? "") ? NO_STEP : { events: [{ type: "native", value: line }] };
  }
}

/** Lines that do not affect the answer. */
function isKnown(subtype: string): boolean {
  return /^(?:status|thinking_tokens|task_\w+|model_refusal_\w+|compact_boundary|local_command\w*)$/.test(subtype);
}

function readInit(state: ClaudeState, line: JsonObject): WireStep {
  const events = startSession(state, line);
  if (events.length === 0) return NO_STEP;
  for (const entry of listOf(line["mcp_servers"])) {
    const { name, status = "unknown" } = objectOf(entry) ?? {};
    if (status !== "connected") events.push(serverUnavailable(stringOf(name) ?? "", stringOf(status) ?? "unknown"));
  }
  return { events };
}

/** The `session-start` of a turn, once. */
function startSession(state: ClaudeState, line: JsonObject): EventDraft[] {
  const sessionId = stringOf(line["session_id"]);
  if (state.sessionSeen || sessionId === undefined || sessionId === "") return [];
  state.sessionSeen = true;
  const facts = {
    model: stringOf(line["model"]),
    cwd: stringOf(line["cwd"]),
    tools: Array.isArray(line["tools"]) ? listOf(line["tools"]).filter((tool) => typeof tool === "string") : undefined,
    cliVersion: stringOf(line["claude_code_version"]),
    auth: stringOf(line["apiKeySource"]),
  };
  const known = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined && value !== ""));
  return [{ type: "session-start", sessionId, ...known }];
}

function readRetry(line: JsonObject): EventDraft {
  const [maxAttempts, delayMs] = [numberOf(line["max_retries"]), numberOf(line["retry_delay_ms"])];
  const [status, reason] = [numberOf(line["error_status"]), stringOf(line["error"])];
  return {
    type: "upstream-retry",
    attempt: numberOf(line["attempt"]) ?? 1,
    ...defined({ maxAttempts, delayMs, status, reason }),
  };
}

/** Claude Code reports its own denials when they happen, since 2.1.325, and again in the `result` line. */
function readDenial(state: ClaudeState, line: JsonObject): WireStep {
  const [id, reason] = [stringOf(line["tool_use_id"]) ?? "", stringOf(line["message"])];
  if (!state.calls.has(id) || state.denied.has(id)) return NO_STEP;
  state.denied.add(id);
  const denial = { type: "permission-denied", id, name: stringOf(line["tool_name"]) ?? "" } as const;
  return { events: [laneOf(state, line).mark(reason === undefined ? denial : { ...denial, reason })] };
}

/** An error that a CLI reports in another way than Claude Code. */
export type KnownError = { readonly text: string; readonly status: number | undefined; readonly kind?: string };

/** What is known of a turn besides its `result` line. */
type KnownResult = { readonly report: TurnReport; readonly error: KnownError | undefined };

/** Reads the `result` line: it ends the run if it failed, or if no background work is open or causes another turn. */
export function endTurn(state: ClaudeState, line: JsonObject, known?: KnownResult): WireStep {
  const events = startSession(state, line);
  state.tasks.sawResult(line);
  const { events: spent, totals } = known?.report ?? state.differences.report?.(line) ?? state.usage.read(line);
  const fault = readFault(state, line, known?.error);
  const turnEnd: TurnEnd = { ...readResult(state, line, fault, events), ...(totals !== undefined && { totals }) };
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
function readResult(state: ClaudeState, line: JsonObject, fault: Fault | undefined, into: EventDraft[]): TurnEnd {
  for (const denial of listOf(line["permission_denials"])) {
    const { tool_use_id, tool_name: name, tool_input: input } = objectOf(denial) ?? {};
    const id = stringOf(tool_use_id) ?? "";
    if (state.denied.has(id)) continue;
    if (id !== "") state.denied.add(id);
    into.push({ type: "permission-denied", id, name: stringOf(name) ?? "", input: input ?? null });
  }
  const answerId = fault === undefined ? sayDeclaredAnswer(line, state.main, into) : undefined;
  const object = line["structured_output"];
  if (object !== undefined) into.push({ type: "object-delta", object });
  const turnEnd = { finish: readFinish(line, fault), ...(answerId !== undefined && { answerId }), ...(fault && { fault }) };
  return fault === undefined ? turnEnd : (state.differences.failedEnd?.(turnEnd, line) ?? turnEnd);
}

/** Claude Code compares its cost with the limit after each answer of the model, also after the last one, which is complete. */
function isAnsweredOverBudget(line: JsonObject, main: MessageLane): boolean {
  return line["subtype"] === "error_max_budget_usd" && line["stop_reason"] === "end_turn" && main.last !== undefined;
}

/** `subtype` stays "success" for API errors: only `is_error` is reliable (fixture error-401). */
function readFault({ main, errorWord }: ClaudeState, given: JsonObject, error: KnownError | undefined): Fault | undefined {
  const line =
    error === undefined ? given : { ...given, is_error: true, result: error.text, api_error_status: error.status ?? null };
  const subtype = error?.kind ?? stringOf(line["subtype"]) ?? "";
  if ((line["is_error"] !== true && !subtype.startsWith("error")) || isAnsweredOverBudget(line, main)) return undefined;
  const errors = listOf(line["errors"]).filter((entry) => typeof entry === "string");
  const message = (line["is_error"] === true && stringOf(line["result"])) || errors.join("; ") || subtype;
  const status = numberOf(line["api_error_status"]);
  const kind = readKind(line, subtype) ?? errorWord;
  return {
    message,
    event: errorEvent(line, subtype),
    ...defined({ kind, status }),
  };
}

function readKind(line: JsonObject, subtype: string): string | undefined {
  if (stringOf(line["terminal_reason"])?.startsWith("aborted_")) return "aborted";
  if (line["stop_reason"] === "refusal") return "refusal";
  return subtype.startsWith("error_max_") ? subtype : undefined;
}

function errorEvent(line: JsonObject, subtype: string): JsonObject {
  const kept = ["type", "subtype", "is_error", "api_error_status", "result", "errors", "terminal_reason", "stop_reason"];
  const event = subtype === "" ? line : { ...line, subtype };
  return Object.fromEntries(Object.entries(event).filter(([key]) => kept.includes(key)));
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
