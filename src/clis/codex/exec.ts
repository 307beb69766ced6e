import { type CountNames, readCounts } from "../../dialects/kit/counts.ts";
import { keepNative } from "../../dialects/kit/lines.ts";
import { type JsonObject, type JsonValue, objectOf, stringOf } from "../../spec/json.ts";
import { defineWire, NO_STEP, type SimpleWire, type TurnContext } from "../../spec/wire/define-wire.ts";
import type { EventDraft } from "../../spec/wire/events.ts";
import type { WireStep } from "../../spec/wire/wire.ts";
import { keepByteOrderMark } from "../shared/prompt-input.ts";
import { completeTurn, failTurn, readOwnRetry } from "./turn-end.ts";
import { TurnItems } from "./turn-items.ts";
import { usageOfTurn } from "./usage.ts";

type State = {
  readonly context: TurnContext;
  readonly items: TurnItems;
  readonly warned: Set<string>;
  sessionSeen: boolean;
  networkWaits: number;
  lastError: string | undefined;
};

/** The JSON lines of `codex exec --json`; docs/dialects/codex.md has the rules. */
export const codexExec: SimpleWire = defineWire<State>({
  input: keepByteOrderMark,
  start: (context) => ({
    context,
    items: new TurnItems(context.permissionMode),
    warned: new Set(),
    sessionSeen: false,
    networkWaits: 0,
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
      return completeTurn(
        state.items.lastMessage,
        state.context.wantsObject === true,
        usageOfTurn(readCounts(objectOf(line["usage"]), USAGE_NAMES, "thread"), state.context.totalsBefore),
      );
    case "turn.failed":
      return failTurn({ message: stringOf(objectOf(line["error"])?.["message"]) ?? "The turn failed.", event: line });
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
  const events = state.items.readTool(item, isComplete);
  if (events !== undefined) return events;
  if (!isComplete || item["type"] === "todo_list") return [];
  const [id, text] = [stringOf(item["id"]) ?? "", stringOf(item["text"]) ?? ""];
  switch (item["type"]) {
    case "agent_message":
      return state.items.endMessage({ id, text });
    case "reasoning":
      return text === "" ? [] : [{ type: "reasoning-delta", messageId: id, text }];
    case "error":
      return warn(state, stringOf(item["message"]) ?? "");
    default:
      return [{ type: "native", value: line }];
  }
}

function warn(state: State, message: string): readonly EventDraft[] {
  if (state.warned.has(message)) return [];
  state.warned.add(message);
  return [{ type: "warning", code: "cli-warning", message }];
}

/** `error` does not end the turn: Codex also reports its own retries with it (fixture error-stream-cut-recovers). */
function readError(state: State, message: string): WireStep {
  const retry = readOwnRetry(state, message);
  if (retry === undefined) {
    state.lastError = message;
    return NO_STEP;
  }
  return { events: [...state.items.retry(), retry] };
}

/** Codex reports the totals of the thread (fixtures multi-turn-resume-1 and -2). */
const USAGE_NAMES: CountNames = {
  inputTokens: "input_tokens",
  outputTokens: "output_tokens",
  cacheReadTokens: "cached_input_tokens",
  cacheWriteTokens: "cache_write_input_tokens",
  reasoningTokens: "reasoning_output_tokens",
};
