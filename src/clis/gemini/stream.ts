import { keepNative } from "../../dialects/kit/lines.ts";
import { type JsonObject, type JsonValue, objectOf, stringOf } from "../../spec/json.ts";
import { defineWire, NO_STEP, type SimpleWire } from "../../spec/wire/define-wire.ts";
import type { EventDraft } from "../../spec/wire/events.ts";
import type { ExitReport, TurnEnd, WireStep } from "../../spec/wire/wire.ts";
import { geminiInput } from "./launch.ts";
import { GEMINI_TOOLS } from "./policy.ts";
import { CUT_OFF, isLoopWarning, NO_REQUEST, readGeminiFault, toGeminiFault } from "./read-fault.ts";
import { readStreamUsage } from "./usage.ts";

type Call = { readonly name: string; readonly input: JsonValue };

type State = {
  readonly isAgent: boolean;
  sessionSeen: boolean;
  messages: number;
  openMessage: string | undefined;
  hasText: boolean;
  /** How often each tool_id came; a result belongs to the last call with its id. */
  readonly calls: Map<string, number>;
  readonly openCalls: Map<string, Call>;
  /** The last error that was no warning. */
  error: string | undefined;
  loop: string | undefined;
  /** The last line was the beginning of a JSON object. */
  endsWithin: boolean;
  /** The turn ended with an error that states no HTTP status; the exit code has it. */
  heldEnd: TurnEnd | undefined;
};

/** The JSON lines of `gemini -o stream-json`; docs/dialects/gemini.md has the rules. */
export const geminiStream: SimpleWire = defineWire<State>({
  input: geminiInput,
  start: ({ permissionMode }) => ({
    isAgent: permissionMode !== undefined,
    sessionSeen: false,
    messages: 0,
    openMessage: undefined,
    hasText: false,
    calls: new Map(),
    openCalls: new Map(),
    error: undefined,
    loop: undefined,
    endsWithin: false,
    heldEnd: undefined,
  }),
  step,
  finish,
});

function step(state: State, native: JsonValue): WireStep {
  const line = objectOf(native);
  state.endsWithin = typeof native === "string" && native.startsWith("{");
  if (line === undefined) return keepNative(native);
  switch (line["type"]) {
    case "init":
      return { events: startSession(state, line) };
    case "message":
      return { events: readMessage(state, line) };
    case "tool_use":
      return { events: readToolUse(state, line) };
    case "tool_result":
      return { events: readToolResult(state, line) };
    case "error":
      return { events: readError(state, line) };
    case "result":
      return endTurn(state, line);
    default:
      return { events: [{ type: "native", value: line }] };
  }
}

/** Gemini exits before its stdout pipe is drained, and it echoes the prompt (fixture huge-prompt). */
function finish(state: State, exit: ExitReport): WireStep {
  if (state.heldEnd !== undefined) return { events: [], turnEnd: state.heldEnd };
  return state.endsWithin && exit.exitCode === 0 ? { events: [], turnEnd: { finish: "length", fault: CUT_OFF } } : NO_STEP;
}

function startSession(state: State, line: JsonObject): readonly EventDraft[] {
  const [sessionId, model] = [stringOf(line["session_id"]), stringOf(line["model"])];
  if (sessionId === undefined || state.sessionSeen) return [];
  state.sessionSeen = true;
  return [{ type: "session-start", sessionId, ...(model !== undefined && { model }) }];
}

function readMessage(state: State, line: JsonObject): readonly EventDraft[] {
  if (line["role"] === "user") return [];
  if (line["role"] !== "assistant") return [{ type: "native", value: line }];
  const text = stringOf(line["content"]) ?? "";
  if (text === "") return [];
  if (state.openMessage === undefined) state.messages += 1;
  state.openMessage ??= `message-${state.messages}`;
  state.hasText = true;
  return [{ type: "text-delta", messageId: state.openMessage, text }];
}

function endMessage(state: State): readonly EventDraft[] {
  const messageId = state.openMessage;
  state.openMessage = undefined;
  return messageId === undefined ? [] : [{ type: "text-end", messageId }];
}

function callId(toolId: string, times: number): string {
  return times <= 1 ? toolId : `${toolId}:${times - 1}`;
}

function readToolUse(state: State, line: JsonObject): readonly EventDraft[] {
  const [toolId, name] = [stringOf(line["tool_id"]) ?? "", stringOf(line["tool_name"]) ?? ""];
  const times = (state.calls.get(toolId) ?? 0) + 1;
  const id = callId(toolId, times);
  state.calls.set(toolId, times);
  const input = line["parameters"] ?? null;
  state.openCalls.set(id, { name, input });
  return [...endMessage(state), { type: "tool-start", id, name }, { type: "tool-call", id, name, input, executor: "cli" }];
}

function readToolResult(state: State, line: JsonObject): readonly EventDraft[] {
  const toolId = stringOf(line["tool_id"]) ?? "";
  const id = callId(toolId, state.calls.get(toolId) ?? 0);
  const call = state.openCalls.get(id);
  if (call === undefined) return [];
  state.openCalls.delete(id);
  const details = line["error"];
  const end = { type: "tool-end", id, output: line["output"] ?? null, isError: line["status"] === "error" } as const;
  return [
    ...(isDenied(state, call, details) ? [{ type: "permission-denied", id, ...call } as const] : []),
    details === undefined ? end : { ...end, details },
  ];
}

/** A tool that the policy denies as a whole is not registered; to an agent all its own tools belong. */
function isDenied({ isAgent }: State, { name }: Call, error: JsonValue | undefined): boolean {
  const kind = objectOf(error)?.["type"];
  return kind === "policy_violation" || (isAgent && kind === "tool_not_registered" && GEMINI_TOOLS.includes(name));
}

function readError(state: State, line: JsonObject): readonly EventDraft[] {
  const message = stringOf(line["message"]) ?? "";
  if (line["severity"] === "warning") {
    if (isLoopWarning(message)) state.loop = message;
    return [{ type: "warning", code: "cli-warning", message }];
  }
  state.error = message;
  return [];
}

function endTurn(state: State, line: JsonObject): WireStep {
  const usage = readStreamUsage(objectOf(line["stats"]) ?? {});
  const turnEnd = readTurnEnd(state, line, usage !== undefined);
  const spoken = turnEnd.fault === undefined ? endMessage(state) : [];
  const events: readonly EventDraft[] = [...spoken, ...(usage === undefined ? [] : [{ type: "usage", usage } as const])];
  if (!isToldByExit(turnEnd)) return { events, turnEnd };
  state.heldEnd = turnEnd;
  return { events };
}

/** Gemini exits with the status of a failed request modulo 256, at once, and prints the status only in some messages. */
function isToldByExit({ fault }: TurnEnd): boolean {
  return fault !== undefined && fault.status === undefined && fault.message.startsWith("[API Error:");
}

/** The status is `success` also for loops and for prompts that Gemini sent to no model, so other fields are checked too. */
function readTurnEnd(state: State, line: JsonObject, wasCounted: boolean): TurnEnd {
  const error = objectOf(line["error"]);
  if (error !== undefined) return { finish: "error", fault: readGeminiFault(error, line) };
  if (state.error !== undefined) return { finish: "error", fault: toGeminiFault(state.error) };
  if (state.loop !== undefined) return { finish: "length", fault: toGeminiFault(state.loop) };
  if (line["status"] !== "success")
    return { finish: "error", fault: { message: "Gemini ended its turn with an error.", event: line } };
  if (!state.hasText && state.calls.size === 0 && !wasCounted) return { finish: "error", fault: NO_REQUEST };
  return { finish: "stop", ...(state.openMessage !== undefined && { answerId: state.openMessage }) };
}
