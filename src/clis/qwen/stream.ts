import { claudeStream } from "../../dialects/claude-stream.ts";
import { listOf, objectOf, stringOf } from "../../dialects/json-access.ts";
import { stepAll } from "../../dialects/native-steps.ts";
import { defineWire, NO_STEP, type SimpleWire, type TurnContext, type TurnReader } from "../../spec/define-wire.ts";
import type { EventDraft } from "../../spec/events.ts";
import type { JsonObject, JsonValue } from "../../spec/json.ts";
import type { WireStep } from "../../spec/wire.ts";
import { type Attempt, forget, goesOn, isRetry, newAttempt, noteSaid, readRetry } from "./attempt.ts";
import { qwenInput } from "./input.ts";
import { readSessionUsage } from "./usage.ts";
import { findOwnWords, isUncounted, type OwnWords, toClaudeError } from "./words.ts";

type State = {
  /** Reads what is the same as Claude's. */
  readonly claude: TurnReader;
  readonly context: TurnContext;
  sawLine: boolean;
  /** The kinds of the blocks that were streamed since the last `assistant` line. */
  readonly streamed: string[];
  /** A piece of text that is nothing but the CLI's own words, as long as it may be the last. */
  held: string | undefined;
  /** The end of a text block, as long as the answer may go on behind it. */
  textEnd: "held" | "dropped" | undefined;
  /** Words that turned out to be the CLI's own. */
  words: OwnWords | undefined;
  readonly attempt: Attempt;
  /** Calls of the main speaker that have no result yet. */
  readonly openCalls: Set<string>;
  /** The tool that the main speaker called last. */
  lastTool: string | undefined;
};

/** The language of Qwen Code, Claude's with differences; docs/dialects/qwen.md is its law. */
export const qwenStream: SimpleWire = defineWire<State>({
  input: qwenInput,
  start: (context) => ({
    claude: claudeStream.start(context),
    context,
    sawLine: false,
    streamed: [],
    held: undefined,
    textEnd: undefined,
    words: undefined,
    attempt: newAttempt(),
    openCalls: new Set(),
    lastTool: undefined,
  }),
  step,
  finish(state, exit) {
    if (exit.exitCode !== 0 || !state.sawLine) return NO_STEP;
    return {
      events: [],
      turnEnd: { finish: "length", fault: { kind: "cut", message: "The end of Qwen Code's output was lost." } },
    };
  },
});

function step(state: State, native: JsonValue): WireStep {
  state.sawLine = true;
  // `-o json` prints all lines as one list.
  if (Array.isArray(native)) return stepAll(native, (one) => step(state, one));
  const line = objectOf(native);
  const ended = settleTextEnd(state, line);
  const next = readLine(state, native, line);
  const events = noteSaid(state.attempt, [...ended, ...next.events]);
  noteCalls(state, events);
  return { ...next, events };
}

function readLine(state: State, native: JsonValue, line: JsonObject | undefined): WireStep {
  const isMain = typeof line?.["parent_tool_use_id"] !== "string";
  switch (isMain ? line?.["type"] : undefined) {
    case "system":
      if (isRetry(line)) return { events: restart(state, line ?? {}) };
      // Its `result` is the last line, whatever works in the background; Claude's is not.
      if (/^task_/.test(stringOf(line?.["subtype"]) ?? "")) return NO_STEP;
      return state.claude.step(toClaudeSystem(line ?? {}));
    case "stream_event":
      return readStreamEvent(state, line ?? {});
    case "assistant":
      return { events: readAssistant(state, line ?? {}) };
    case "result":
      return readResult(state, line ?? {});
    default:
      return state.claude.step(native);
  }
}

/** An answer that reached the limit of its length has the end of its text before the line that says that it goes on. */
function settleTextEnd(state: State, line: JsonObject | undefined): readonly EventDraft[] {
  if (state.textEnd !== "held") return [];
  state.textEnd = goesOn(line) ? "dropped" : undefined;
  return state.textEnd === undefined ? state.claude.step(BLOCK_STOP).events : [];
}

function restart(state: State, line: JsonObject): readonly EventDraft[] {
  if (!goesOn(line)) {
    state.held = undefined;
    state.words = undefined;
    state.streamed.length = 0;
  }
  return readRetry(state.attempt, line);
}

function toClaudeSystem(line: JsonObject): JsonObject {
  const { qwen_code_version: version, apiKeySource: _, ...rest } = line;
  return version === undefined ? rest : { ...rest, claude_code_version: version };
}

function noteCalls(state: State, events: readonly EventDraft[]): void {
  for (const event of events) {
    if (event.type === "tool-call" && event.parentToolId === undefined) {
      state.openCalls.add(event.id);
      state.lastTool = event.name;
    }
    if (event.type === "tool-end" || event.type === "tool-reset") state.openCalls.delete(event.id);
  }
}

function readStreamEvent(state: State, line: JsonObject): WireStep {
  const event = objectOf(line["event"]);
  const delta = objectOf(event?.["delta"]);
  switch (event?.["type"]) {
    case "message_start":
      forget(state.attempt);
      break;
    case "tool_progress":
      // A shell tells how long it has printed nothing, every ten seconds.
      return objectOf(event["content"])?.["type"] === "shell_progress" ? { events: [], isHeartbeat: true } : NO_STEP;
    case "content_block_start":
      state.streamed.push(stringOf(objectOf(event["content_block"])?.["type"]) ?? "");
      break;
    case "content_block_delta": {
      const said = sayHeld(state);
      const text = delta?.["type"] === "text_delta" ? (stringOf(delta["text"]) ?? "") : "";
      if (findOwnWords(text)?.before !== "") return { events: [...said, ...state.claude.step(line).events] };
      state.held = text;
      return { events: said };
    }
    case "content_block_stop":
      if (state.held !== undefined) return NO_STEP;
      if (state.streamed.at(-1) !== "text") break;
      state.textEnd = "held";
      return NO_STEP;
  }
  return state.claude.step(line);
}

/** Another piece followed, or the message was counted: it was the model after all. */
function sayHeld(state: State): readonly EventDraft[] {
  const { held } = state;
  state.held = undefined;
  return held === undefined ? [] : state.claude.step(toTextDelta(held)).events;
}

function toTextDelta(text: string): JsonObject {
  return { type: "stream_event", event: { type: "content_block_delta", delta: { type: "text_delta", text } } };
}

/** A block that was streamed is given again here, often under another id; each kind has a line of its own. */
function readAssistant(state: State, line: JsonObject): readonly EventDraft[] {
  const message = objectOf(line["message"]) ?? {};
  const events: EventDraft[] = [];
  for (const entry of listOf(message["content"])) {
    const block = objectOf(entry) ?? {};
    const wasStreamed = state.streamed.includes(stringOf(block["type"]) ?? "");
    if (block["type"] === "text" && wasStreamed) events.push(...settleStreamed(state, message));
    else if (block["type"] === "text") events.push(...readText(state, line, { message, text: stringOf(block["text"]) ?? "" }));
    else if (block["type"] === "tool_use" || !wasStreamed) events.push(...passOn(state, line, { message, block }));
  }
  state.streamed.length = 0;
  return events;
}

function settleStreamed(state: State, message: JsonObject): readonly EventDraft[] {
  const { held, textEnd } = state;
  state.textEnd = undefined;
  if (held === undefined) return textEnd === "dropped" ? state.claude.step(BLOCK_STOP).events : [];
  const own = findOwnWords(held);
  if (own === undefined || !isUncounted(message, own.words)) return [...sayHeld(state), ...state.claude.step(BLOCK_STOP).events];
  state.held = undefined;
  state.words = own;
  return [];
}

const BLOCK_STOP: JsonObject = { type: "stream_event", event: { type: "content_block_stop", index: 0 } };

/** The text before the CLI's own words is never complete. */
function readText(state: State, line: JsonObject, said: { message: JsonObject; text: string }): readonly EventDraft[] {
  const { message, text } = said;
  const own = findOwnWords(text);
  if (own === undefined || !isUncounted(message, own.words))
    return passOn(state, line, { message, block: { type: "text", text } });
  state.words = own;
  if (own.before === "") return [];
  const begin = { type: "stream_event", event: { type: "message_start", message: { id: message["id"] ?? "" } } };
  return [begin, toTextDelta(own.before)].flatMap((part) => state.claude.step(part).events);
}

function passOn(state: State, line: JsonObject, said: { message: JsonObject; block: JsonObject }): readonly EventDraft[] {
  return state.claude.step({ ...line, message: { ...said.message, content: [said.block] } }).events;
}

function readResult(state: State, line: JsonObject): WireStep {
  const isError = line["is_error"] === true;
  // A sub-agent that failed says so by a `result` of its own, while its call is open.
  if (isError && line["duration_ms"] === 0 && state.openCalls.size > 0) return NO_STEP;
  const { usage, structured_result: object, ...rest } = line;
  const result = stringOf(line["result"]) ?? "";
  const own = state.words?.isApiError === true ? state.words.words : undefined;
  const hasFailed = !isError && own !== undefined && result.endsWith(own);
  const fault = isError ? (stringOf(objectOf(line["error"])?.["message"]) ?? result) : hasFailed ? own : undefined;
  const next = state.claude.step({
    ...rest,
    ...(object !== undefined && { structured_output: object }),
    ...(fault !== undefined && toClaudeError(fault, state.lastTool)),
  });
  const warning =
    own !== undefined && !hasFailed && !isError ? [{ type: "warning", code: "cli-warning", message: own } as const] : [];
  const counted = readSessionUsage(objectOf(usage) ?? {}, state.context.usageBefore);
  return {
    ...next,
    events: [...warning, ...next.events, ...(counted === undefined ? [] : [{ type: "usage", usage: counted } as const])],
  };
}
