import { keepNative } from "../../dialects/kit/lines.ts";
import { CallBook } from "../../dialects/kit/message-lane.ts";
import { amountOf, type JsonObject, type JsonValue, objectOf, stringOf } from "../../spec/json.ts";
import { defineWire, NO_STEP, type SimpleWire } from "../../spec/wire/define-wire.ts";
import type { EventDraft } from "../../spec/wire/events.ts";
import type { Usage } from "../../spec/wire/usage.ts";
import type { ExitReport, TurnEnd, WireStep } from "../../spec/wire/wire.ts";
import { geminiInput } from "./launch.ts";
import { GEMINI_TOOLS } from "./policy.ts";
import { CUT_OFF, isLoopWarning, NO_REQUEST, readGeminiFault, toGeminiFault } from "./read-fault.ts";

type State = {
  readonly isAgent: boolean;
  sessionSeen: boolean;
  messages: number;
  openMessage: string | undefined;
  hasText: boolean;
  readonly calls: CallBook;
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
    calls: new CallBook(),
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

function readToolUse(state: State, line: JsonObject): readonly EventDraft[] {
  const [toolId, input] = [stringOf(line["tool_id"]) ?? "", line["parameters"] ?? null];
  const { id, name } = state.calls.begin(toolId, stringOf(line["tool_name"]) ?? "", input);
  return [...endMessage(state), { type: "tool-start", id, name }, { type: "tool-call", id, name, input, executor: "cli" }];
}

/** A result belongs to the last call with its id. */
function readToolResult(state: State, line: JsonObject): readonly EventDraft[] {
  const call = state.calls.get(stringOf(line["tool_id"]) ?? "");
  if (call === undefined || call.state === "over") return [];
  call.state = "over";
  const { id, name, input } = call;
  const details = line["error"];
  const end = { type: "tool-end", id, output: line["output"] ?? null, isError: line["status"] === "error" } as const;
  return [
    ...(isDenied(state, name, details) ? [{ type: "permission-denied", id, name, input } as const] : []),
    details === undefined ? end : { ...end, details },
  ];
}

/** A tool that the policy denies as a whole is not registered; to an agent all its own tools belong. */
function isDenied({ isAgent }: State, name: string, error: JsonValue | undefined): boolean {
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
  if (!state.hasText && state.calls.isEmpty && !wasCounted) return { finish: "error", fault: NO_REQUEST };
  return { finish: "stop", ...(state.openMessage !== undefined && { answerId: state.openMessage }) };
}

/** The usage in the `stats` of a `result` line: of this run only, even when a session was resumed. */
function readStreamUsage(stats: JsonObject): Usage | undefined {
  const [total, input, output] = [
    countOf(stats, "total_tokens"),
    countOf(stats, "input_tokens"),
    countOf(stats, "output_tokens"),
  ];
  if (total === 0 && input === 0 && output === 0) return undefined;
  // Thoughts are counted only in the total (fixture reasoning).
  const reasoningTokens = total - input - output;
  const isWhole = reasoningTokens >= 0;
  const outputTokens = isWhole ? total - input : output;
  return {
    inputTokens: input,
    outputTokens,
    totalTokens: input + outputTokens,
    cacheReadTokens: countOf(stats, "cached"),
    ...(isWhole && { reasoningTokens }),
    estimated: false,
    scope: "turn",
  };
}

function countOf(counts: JsonObject, name: string): number {
  return amountOf(counts[name]) ?? 0;
}
