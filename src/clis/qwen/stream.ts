import { claudeStream } from "../../dialects/claude/claude-stream.ts";
import { stepAll } from "../../dialects/kit/native-steps.ts";
import { type JsonObject, type JsonValue, listOf, objectOf, stringOf } from "../../spec/json.ts";
import { defineWire, NO_STEP, type SimpleWire, type TurnContext, type TurnReader } from "../../spec/wire/define-wire.ts";
import type { EventDraft } from "../../spec/wire/events.ts";
import type { WireStep } from "../../spec/wire/wire.ts";
import { type CliMessage, findCliMessage, isUncounted, toClaudeError } from "./cli-message.ts";
import { qwenInput } from "./launch.ts";
import { clearAnswer, isRetry, keepsText, newAnswer, readRetry, recordEvents, type StreamedAnswer } from "./streamed-answer.ts";
import { MessageUsage, readCounts, reportOf, usageOfTurn } from "./usage.ts";

type State = {
  /** Reads the lines that are the same as Claude's. */
  readonly claude: TurnReader;
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
    claude: claudeStream.start(context),
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
  park: ({ usage }) => {
    const report = reportOf(usage.park());
    return report === undefined ? NO_STEP : { events: [report] };
  },
  spent: { counts: "tokens", read: ({ usage }) => reportOf(usage.soFar()) },
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

/** For an answer that reached the output limit, the end of the text comes before the line that continues it. */
function settleTextEnd(state: State, line: JsonObject | undefined): readonly EventDraft[] {
  if (state.textEnd !== "held") return [];
  state.textEnd = keepsText(line) ? "dropped" : undefined;
  return state.textEnd === undefined ? state.claude.step(BLOCK_STOP).events : [];
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
      if (findCliMessage(text)?.before !== "") return { events: [...held, ...state.claude.step(line).events] };
      state.held = text;
      return { events: held };
    }
    case "content_block_stop":
      if (state.held !== undefined) return NO_STEP;
      if (state.streamed.at(-1) !== "text") break;
      state.textEnd = "held";
      return NO_STEP;
  }
  return state.claude.step(line);
}

/** The calls of a message are all known now, and the first of them runs after this line. */
function endMessage(state: State, line: JsonObject): WireStep {
  state.usage.endMessage();
  const awaitsResults = state.openCalls.size > 0 && (state.context.nativeTools ?? []).length > 0;
  return { ...state.claude.step(line), ...(awaitsResults && { awaitsResults }) };
}

/** Another piece followed, or the message has token counts: the text is the model's. */
function emitHeld(state: State): readonly EventDraft[] {
  const { held } = state;
  state.held = undefined;
  return held === undefined ? [] : state.claude.step(toTextDelta(held)).events;
}

function toTextDelta(text: string): JsonObject {
  return { type: "stream_event", event: { type: "content_block_delta", delta: { type: "text_delta", text } } };
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
    else if (block["type"] === "text") events.push(...readText(state, line, { message, text: stringOf(block["text"]) ?? "" }));
    else if (block["type"] === "tool_use" || !wasStreamed) events.push(...emitBlock(state, line, { message, block }));
  }
  state.streamed.length = 0;
  return events;
}

function settleStreamed(state: State, message: JsonObject): readonly EventDraft[] {
  const { held, textEnd } = state;
  state.textEnd = undefined;
  if (held === undefined) return textEnd === "dropped" ? state.claude.step(BLOCK_STOP).events : [];
  const own = findCliMessage(held);
  if (own === undefined || !isUncounted(message, own.text)) return [...emitHeld(state), ...state.claude.step(BLOCK_STOP).events];
  state.held = undefined;
  state.cliMessage = own;
  return [];
}

const BLOCK_STOP: JsonObject = { type: "stream_event", event: { type: "content_block_stop", index: 0 } };

/** The text before a CLI message is never complete. */
function readText(state: State, line: JsonObject, part: { message: JsonObject; text: string }): readonly EventDraft[] {
  const { message, text } = part;
  const own = findCliMessage(text);
  if (own === undefined || !isUncounted(message, own.text))
    return emitBlock(state, line, { message, block: { type: "text", text } });
  state.cliMessage = own;
  if (own.before === "") return [];
  const begin = { type: "stream_event", event: { type: "message_start", message: { id: message["id"] ?? "" } } };
  return [begin, toTextDelta(own.before)].flatMap((part) => state.claude.step(part).events);
}

function emitBlock(state: State, line: JsonObject, part: { message: JsonObject; block: JsonObject }): readonly EventDraft[] {
  return state.claude.step({ ...line, message: { ...part.message, content: [part.block] } }).events;
}

function readResult(state: State, line: JsonObject): WireStep {
  const isError = line["is_error"] === true;
  // A failed sub-agent prints its own `result` while its call is open.
  if (isError && line["duration_ms"] === 0 && state.openCalls.size > 0) return NO_STEP;
  const { usage, structured_result: object, ...rest } = line;
  const result = stringOf(line["result"]) ?? "";
  const own = state.cliMessage?.isApiError === true ? state.cliMessage.text : undefined;
  const hasFailed = !isError && own !== undefined && result.endsWith(own);
  const fault = isError ? (stringOf(objectOf(line["error"])?.["message"]) ?? result) : hasFailed ? own : undefined;
  const next = state.claude.step({
    ...rest,
    ...(object !== undefined && { structured_output: object }),
    ...(fault !== undefined && toClaudeError(fault, state.lastTool)),
  });
  const warning =
    own !== undefined && !hasFailed && !isError ? [{ type: "warning", code: "cli-warning", message: own } as const] : [];
  const { processTotals, totalsBefore } = state.context;
  const possible = processTotals === undefined ? totalsBefore : [processTotals.now];
  const { usage: counted, totals } = usageOfTurn(readCounts(objectOf(usage) ?? {}, "thread"), possible, state.usage);
  return {
    ...next,
    events: [...warning, ...next.events, ...(counted === undefined ? [] : [{ type: "usage", usage: counted } as const])],
    ...(next.turnEnd !== undefined && totals !== undefined && { turnEnd: { ...next.turnEnd, totals } }),
  };
}
