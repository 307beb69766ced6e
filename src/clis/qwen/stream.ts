import { type ClaudeState, startState, voidReset } from "../../dialects/claude/claude-state.ts";
import { readBlock, stepClaude } from "../../dialects/claude/claude-stream.ts";
import { endTurn } from "../../dialects/claude/claude-turn.ts";
import { stepAll } from "../../dialects/kit/lines.ts";
import { type JsonObject, type JsonValue, listOf, objectOf, stringOf } from "../../spec/json.ts";
import { defineWire, NO_STEP, type SimpleWire, type TurnContext } from "../../spec/wire/define-wire.ts";
import type { EventDraft } from "../../spec/wire/events.ts";
import type { WireStep } from "../../spec/wire/wire.ts";
import { type CliMessage, findCliMessage, isUncounted, toKnownError } from "./cli-message.ts";
import { qwenInput } from "./launch.ts";
import { clearAnswer, isRetry, keepsText, newAnswer, readRetry, recordEvents, type StreamedAnswer } from "./streamed-answer.ts";
import { MessageUsage, readQwenCounts, reportTurn } from "./usage.ts";

type State = {
  /** Reads the lines that are the same as Claude's. */
  readonly claude: ClaudeState;
  readonly context: TurnContext;
  sawLine: boolean;
  /** The kinds of the blocks that were streamed since the last `assistant` line. */
  readonly streamed: string[];
  /** A piece of text that has the form of a CLI message, held until another piece follows or the message ends. */
  held: string | undefined;
  /** The end of a text block, held while the answer may continue. */
  textEnd: "held" | "dropped" | undefined;
  /** Text that has proved to be the CLI's own. */
  cliMessage: CliMessage | undefined;
  readonly answer: StreamedAnswer;
  /** Calls of the main agent that have no result yet. */
  readonly openCalls: Set<string>;
  /** The tool that the main agent called last. */
  lastTool: string | undefined;
  readonly usage: MessageUsage;
};

/** The wire of Qwen Code: Claude's, with differences; docs/dialects/qwen.md has the rules. */
export const qwenStream: SimpleWire = defineWire<State>({
  input: qwenInput,
  start: (context) => ({
    claude: startState(context, { system: toClaudeSystem }),
    context,
    sawLine: false,
    streamed: [],
    held: undefined,
    textEnd: undefined,
    cliMessage: undefined,
    answer: newAnswer(),
    openCalls: new Set(),
    lastTool: undefined,
    usage: new MessageUsage(),
  }),
  step,
  park: ({ usage }) => usage.spent.park(),
  spent: { counts: "tokens", read: ({ usage }) => usage.spent.report() },
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
  const events = recordEvents(state.answer, [...ended, ...next.events]);
  noteCalls(state, events);
  return { ...next, events };
}

function readLine(state: State, native: JsonValue, line: JsonObject | undefined): WireStep {
  const isMain = typeof line?.["parent_tool_use_id"] !== "string";
  switch (isMain ? line?.["type"] : undefined) {
    case "system":
      if (isRetry(line)) return { events: restart(state, line ?? {}) };
      // Its `result` is the last line, even with work in the background; Claude's is not.
      if (/^task_/.test(stringOf(line?.["subtype"]) ?? "")) return NO_STEP;
      return stepClaude(state.claude, native);
    case "stream_event":
      return readStreamEvent(state, line ?? {});
    case "assistant":
      return { events: readAssistant(state, line ?? {}) };
    case "result":
      return readResult(state, line ?? {});
    default:
      return stepClaude(state.claude, native);
  }
}

/** For an answer that reached the output limit, the end of the text comes before the line that continues it. */
function settleTextEnd(state: State, line: JsonObject | undefined): readonly EventDraft[] {
  if (state.textEnd !== "held") return [];
  state.textEnd = keepsText(line) ? "dropped" : undefined;
  return state.textEnd === undefined ? endText(state) : [];
}

function endText({ claude }: State): readonly EventDraft[] {
  const events: EventDraft[] = [];
  claude.main.endText(events);
  return events;
}

function restart(state: State, line: JsonObject): readonly EventDraft[] {
  if (!keepsText(line)) {
    state.held = undefined;
    state.cliMessage = undefined;
    state.streamed.length = 0;
  }
  return readRetry(state.answer, line);
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
      clearAnswer(state.answer);
      break;
    case "message_stop":
      return endMessage(state, line);
    case "tool_progress":
      // Every ten seconds a shell reports how long it has printed nothing.
      return objectOf(event["content"])?.["type"] === "shell_progress" ? { events: [], isHeartbeat: true } : NO_STEP;
    case "content_block_start":
      state.streamed.push(stringOf(objectOf(event["content_block"])?.["type"]) ?? "");
      break;
    case "content_block_delta": {
      const held = emitHeld(state);
      const text = delta?.["type"] === "text_delta" ? (stringOf(delta["text"]) ?? "") : "";
      if (findCliMessage(text)?.before !== "") return { events: [...held, ...stepClaude(state.claude, line).events] };
      state.held = text;
      return { events: held };
    }
    case "content_block_stop":
      if (state.held !== undefined) return NO_STEP;
      if (state.streamed.at(-1) !== "text") break;
      state.textEnd = "held";
      return NO_STEP;
  }
  return stepClaude(state.claude, line);
}

/** The calls of a message are all known now, and the first of them runs after this line. */
function endMessage(state: State, line: JsonObject): WireStep {
  state.usage.endMessage();
  const awaitsResults = state.openCalls.size > 0 && (state.context.nativeTools ?? []).length > 0;
  return { ...stepClaude(state.claude, line), ...(awaitsResults && { awaitsResults }) };
}

/** Another piece followed, or the message has token counts: the text is the model's. */
function emitHeld(state: State): readonly EventDraft[] {
  const { held } = state;
  state.held = undefined;
  const events: EventDraft[] = [];
  if (held !== undefined) state.claude.main.addText(held, events);
  return events;
}

/** A streamed block is repeated here, often under another id; each kind has a separate line. */
function readAssistant(state: State, line: JsonObject): readonly EventDraft[] {
  const message = objectOf(line["message"]) ?? {};
  state.usage.note(objectOf(message["usage"]) ?? {});
  const events: EventDraft[] = [];
  for (const entry of listOf(message["content"])) {
    const block = objectOf(entry) ?? {};
    const wasStreamed = state.streamed.includes(stringOf(block["type"]) ?? "");
    if (block["type"] === "text" && wasStreamed) events.push(...settleStreamed(state, message));
    else if (block["type"] === "text") readText(state, message, block, events);
    else if (block["type"] === "tool_use" || !wasStreamed) emitBlock(state, message, block, events);
  }
  state.streamed.length = 0;
  return voidReset(state.claude, events);
}

function settleStreamed(state: State, message: JsonObject): readonly EventDraft[] {
  const { held, textEnd } = state;
  state.textEnd = undefined;
  if (held === undefined) return textEnd === "dropped" ? endText(state) : [];
  const own = findCliMessage(held);
  if (own === undefined || !isUncounted(message, own.text)) return [...emitHeld(state), ...endText(state)];
  state.held = undefined;
  state.cliMessage = own;
  return [];
}

/** The text before a CLI message is never complete. */
function readText(state: State, message: JsonObject, block: JsonObject, events: EventDraft[]): void {
  const own = findCliMessage(stringOf(block["text"]) ?? "");
  if (own === undefined || !isUncounted(message, own.text)) return emitBlock(state, message, block, events);
  state.cliMessage = own;
  if (own.before === "") return;
  const { claude } = state;
  claude.main.beginMessage(stringOf(message["id"]) ?? "", events);
  claude.main.addText(own.before, events);
}

function emitBlock({ claude }: State, message: JsonObject, block: JsonObject, events: EventDraft[]): void {
  readBlock(claude, claude.main, { messageId: stringOf(message["id"]) ?? "", block }, events);
}

function readResult(state: State, line: JsonObject): WireStep {
  const isError = line["is_error"] === true;
  // A failed sub-agent prints its own `result` while its call is open.
  if (isError && line["duration_ms"] === 0 && state.openCalls.size > 0) return NO_STEP;
  const { usage, structured_result: object } = line;
  const result = stringOf(line["result"]) ?? "";
  const own = state.cliMessage?.isApiError === true ? state.cliMessage.text : undefined;
  const hasFailed = !isError && own !== undefined && result.endsWith(own);
  const error = isError ? (stringOf(objectOf(line["error"])?.["message"]) ?? result) : hasFailed ? own : undefined;
  const { processTotals, totalsBefore } = state.context;
  const possible = processTotals === undefined ? totalsBefore : [processTotals.now];
  const next = endTurn(state.claude, object === undefined ? line : { ...line, structured_output: object }, {
    report: reportTurn(readQwenCounts(objectOf(usage), "thread"), possible, state.usage),
    error: error === undefined ? undefined : toKnownError(error, state.lastTool),
  });
  if (own === undefined || hasFailed || isError) return next;
  return { ...next, events: [{ type: "warning", code: "cli-warning", message: own }, ...next.events] };
}
