import { amountOf, objectOf, stringOf } from "../../dialects/json-access.ts";
import { keepNative } from "../../dialects/native-steps.ts";
import { defineWire, NO_STEP, type SimpleWire, type TurnContext } from "../../spec/define-wire.ts";
import type { EventDraft } from "../../spec/events.ts";
import type { JsonObject, JsonValue } from "../../spec/json.ts";
import { parseJson } from "../../spec/parse-json.ts";
import type { Usage } from "../../spec/usage.ts";
import type { WireStep } from "../../spec/wire.ts";
import { markedInput } from "../marked-input.ts";
import { readCodexTool } from "./items.ts";

type Message = { readonly id: string; readonly text: string };

type State = {
  readonly context: TurnContext;
  readonly openTools: Set<string>;
  readonly warned: Set<string>;
  sessionSeen: boolean;
  lastMessage: Message | undefined;
  /** A reconnect came after the last message, and no tool since: Codex may print that message again. */
  mayRepeat: boolean;
  reconnects: number;
  lastError: string | undefined;
};

/** The JSON lines of `codex exec --json`; docs/dialects/codex.md has the rules. */
export const codexExec: SimpleWire = defineWire<State>({
  input: markedInput,
  start: (context) => ({
    context,
    openTools: new Set(),
    warned: new Set(),
    sessionSeen: false,
    lastMessage: undefined,
    mayRepeat: false,
    reconnects: 0,
    lastError: undefined,
  }),
  step,
  finish(state, exit) {
    if (state.lastError === undefined || exit.signal !== undefined || exit.exitCode === 0) return NO_STEP;
    return { events: [], turnEnd: { finish: "error", fault: { message: state.lastError } } };
  },
});

function step(state: State, native: JsonValue): WireStep {
  const line = objectOf(native);
  if (line === undefined) return keepNative(native);
  switch (line["type"]) {
    case "thread.started":
      return startSession(state, line);
    case "turn.started":
    case "item.updated":
      return NO_STEP;
    case "item.started":
      return { events: readItem(state, line, false) };
    case "item.completed":
      return { events: readItem(state, line, true) };
    case "error":
      return readError(state, stringOf(line["message"]) ?? "");
    case "turn.completed":
      return completeTurn(state, line);
    case "turn.failed":
      return failTurn(line);
    default:
      return { events: [{ type: "native", value: line }] };
  }
}

function startSession(state: State, line: JsonObject): WireStep {
  const sessionId = stringOf(line["thread_id"]);
  if (sessionId === undefined || state.sessionSeen) return NO_STEP;
  state.sessionSeen = true;
  return { events: [{ type: "session-start", sessionId }] };
}

function readItem(state: State, line: JsonObject, isComplete: boolean): readonly EventDraft[] {
  const item = objectOf(line["item"]) ?? {};
  const tool = readCodexTool(item);
  if (tool !== undefined) return readTool(state, tool, isComplete);
  if (!isComplete || item["type"] === "todo_list") return [];
  const [id, text] = [stringOf(item["id"]) ?? "", stringOf(item["text"]) ?? ""];
  switch (item["type"]) {
    case "agent_message":
      return sayMessage(state, { id, text });
    case "reasoning":
      return text === "" ? [] : [{ type: "reasoning-delta", messageId: id, text }];
    case "error":
      return warn(state, stringOf(item["message"]) ?? "");
    default:
      return [{ type: "native", value: line }];
  }
}

function readTool(state: State, tool: NonNullable<ReturnType<typeof readCodexTool>>, isComplete: boolean): readonly EventDraft[] {
  const { id, name, input, output, isError, details, changes } = tool;
  const events: EventDraft[] = [];
  state.mayRepeat = false;
  if (!state.openTools.has(id)) {
    state.openTools.add(id);
    events.push({ type: "tool-start", id, name }, { type: "tool-call", id, name, input, executor: "cli" });
  }
  if (!isComplete) return events;
  return [...events, ...changes, { type: "tool-end", id, output, isError, ...(details !== undefined && { details }) }];
}

/** After a cut Codex prints a finished message again under a new id; the events contain it once. */
function sayMessage(state: State, message: Message): readonly EventDraft[] {
  const before = state.lastMessage;
  const isAgain = state.mayRepeat && before !== undefined && before.text === message.text && before.text !== "";
  state.lastMessage = message;
  state.mayRepeat = false;
  if (message.text === "") return [];
  return [
    ...(isAgain ? [{ type: "text-reset", messageId: before.id } as const] : []),
    { type: "text-delta", messageId: message.id, text: message.text },
    { type: "text-end", messageId: message.id },
  ];
}

function warn(state: State, message: string): readonly EventDraft[] {
  if (state.warned.has(message)) return [];
  state.warned.add(message);
  return [{ type: "warning", code: "cli-warning", message }];
}

const RECONNECTING = /^Reconnecting\.\.\. (?:(\d+)\/(\d+)|waiting for network)(?: \((.*)\))?$/s;

/** `error` does not end the turn: Codex also reports its own retries with it (fixture error-stream-cut-recovers). */
function readError(state: State, message: string): WireStep {
  const match = RECONNECTING.exec(message);
  if (match === null) {
    state.lastError = message;
    return NO_STEP;
  }
  const [, attempt, maxAttempts, reason] = match;
  state.mayRepeat = true;
  if (attempt === undefined) state.reconnects += 1;
  return {
    events: [
      {
        type: "upstream-retry",
        attempt: attempt === undefined ? state.reconnects : Number(attempt),
        ...(maxAttempts !== undefined && { maxAttempts: Number(maxAttempts) }),
        ...(reason !== undefined && { reason }),
      },
    ],
  };
}

function completeTurn(state: State, line: JsonObject): WireStep {
  const answer = state.lastMessage?.text === "" ? undefined : state.lastMessage;
  const object = state.context.wantsObject === true && answer !== undefined ? parseJson(answer.text) : undefined;
  const usage = readUsage(objectOf(line["usage"]), state.context.usageBefore);
  return {
    events: [
      ...(object === undefined ? [] : [{ type: "object-delta", object } as const]),
      ...(usage === undefined ? [] : [{ type: "usage", usage } as const]),
    ],
    turnEnd: { finish: "stop", ...(answer !== undefined && { answerId: answer.id }) },
  };
}

function failTurn(line: JsonObject): WireStep {
  const message = stringOf(objectOf(line["error"])?.["message"]) ?? "The turn failed.";
  const finish = message.includes("reason: max_output_tokens") ? "length" : "error";
  return { events: [], turnEnd: { finish, fault: { message, event: line } } };
}

/** Codex reports the totals of the thread (fixtures multi-turn-resume-1 and -2). */
function readUsage(counts: JsonObject | undefined, before: Usage | undefined): Usage | undefined {
  if (counts === undefined) return undefined;
  const found: Partial<Record<UsageCount, number>> = {};
  for (const [name, native] of USAGE_COUNTS) {
    const total = amountOf(counts[native]);
    if (total !== undefined) found[name] = Math.max(0, total - (before?.[name] ?? 0));
  }
  const { inputTokens, outputTokens } = found;
  const totalTokens = inputTokens === undefined || outputTokens === undefined ? undefined : inputTokens + outputTokens;
  return {
    ...found,
    ...(totalTokens !== undefined && { totalTokens }),
    estimated: false,
    scope: before === undefined ? "thread" : "turn",
  };
}

type UsageCount = "inputTokens" | "outputTokens" | "cacheReadTokens" | "cacheWriteTokens" | "reasoningTokens";

const USAGE_COUNTS: readonly (readonly [UsageCount, string])[] = [
  ["inputTokens", "input_tokens"],
  ["outputTokens", "output_tokens"],
  ["cacheReadTokens", "cached_input_tokens"],
  ["cacheWriteTokens", "cache_write_input_tokens"],
  ["reasoningTokens", "reasoning_output_tokens"],
];
