import { type JsonObject, type JsonValue, listOf, nativeText, objectOf, parseJson, stringOf } from "../../spec/json.ts";
import { defineWire, NO_STEP, noInput, type SimpleWire, type TurnContext } from "../../spec/wire/define-wire.ts";
import type { EventDraft } from "../../spec/wire/events.ts";
import type { Fault, WireStep } from "../../spec/wire/wire.ts";
import { stepAll } from "../kit/lines.ts";
import { freshId } from "../kit/message-lane.ts";

type State = {
  /** A process takes one turn; later output has no effect. */
  isOver: boolean;
  lastRole: string | undefined;
  assistantLines: number;
  /** How often each call id was used. */
  readonly idsUsed: Map<string, number>;
  /** Calls without a result, in order: the CLI's id and ours. */
  readonly openCalls: { readonly native: string; readonly id: string }[];
};

/** The JSON lines of the `grok` CLI of vibe-kit and of the ax CLIs; docs/dialects/role-messages.md has the rules. */
export const roleMessages: SimpleWire = defineWire<State>({ input: noInput, start, step });

/** The one document that `--json` of the ax CLIs prints: the same messages in a list. */
export const roleDocument: SimpleWire = defineWire<State>({
  framing: "json",
  start,
  step(state, native) {
    const messages = objectOf(native)?.["messages"];
    return Array.isArray(messages) ? stepAll(messages, (one) => step(state, one)) : step(state, native);
  },
});

function start({ turnsBefore = 0 }: TurnContext): State {
  return { isOver: turnsBefore > 0, lastRole: undefined, assistantLines: 0, idsUsed: new Map(), openCalls: [] };
}

function step(state: State, native: JsonValue): WireStep {
  const line = objectOf(native);
  if (line === undefined) return readText(state, nativeText(native));
  const role = stringOf(line["role"]);
  if (state.isOver || role === undefined) return { events: [{ type: "native", value: line }] };
  const next = readMessage(state, line);
  state.lastRole = role;
  state.isOver = next.turnEnd !== undefined;
  return next;
}

const SHUTDOWN = "Gracefully shutting down...";

/** On a stop request these CLIs print this and exit with code 0. */
function readText(state: State, text: string): WireStep {
  const events: EventDraft[] = [{ type: "native", text }];
  if (state.isOver || text !== SHUTDOWN) return { events };
  state.isOver = true;
  return { events, turnEnd: { finish: "cancelled", fault: { kind: "shutdown", message: text } } };
}

function readMessage(state: State, line: JsonObject): WireStep {
  switch (line["role"]) {
    case "user":
      return NO_STEP;
    case "tool":
      return endCall(state, line);
    case "assistant":
      state.assistantLines += 1;
      return listOf(line["tool_calls"]).length > 0 ? { events: readCalls(state, line) } : endTurn(state, line);
    default:
      return { events: [{ type: "native", value: line }] };
  }
}

/** The CLI prints this if the model called tools and wrote no text. */
const TOOLS_PLACEHOLDER = "Using tools to help you...";

function readCalls(state: State, line: JsonObject): readonly EventDraft[] {
  const content = stringOf(line["content"]) ?? "";
  const events = content === TOOLS_PLACEHOLDER ? [] : addText(state, content);
  for (const entry of listOf(line["tool_calls"])) {
    const call = objectOf(entry);
    const made = objectOf(call?.["function"]);
    const native = stringOf(call?.["id"]) ?? "call";
    const [id, name] = [freshId(state.idsUsed, native), stringOf(made?.["name"]) ?? ""];
    const given = made?.["arguments"] ?? null;
    const input = typeof given === "string" ? (parseJson(given) ?? given) : given;
    state.openCalls.push({ native, id });
    events.push({ type: "tool-start", id, name }, { type: "tool-call", id, name, input, executor: "cli" });
  }
  return events;
}

function addText(state: State, text: string): EventDraft[] {
  const messageId = messageOf(state);
  return text === ""
    ? []
    : [
        { type: "text-delta", messageId, text },
        { type: "text-end", messageId },
      ];
}

function messageOf(state: State): string {
  return `assistant-${state.assistantLines}`;
}

/** ax-glm does not name the call that a result belongs to. */
function endCall(state: State, line: JsonObject): WireStep {
  const native = stringOf(line["tool_call_id"]);
  const at = native === undefined ? 0 : state.openCalls.findIndex((call) => call.native === native);
  const call = at === -1 ? undefined : state.openCalls.splice(at, 1)[0];
  if (call === undefined) return NO_STEP;
  return { events: [{ type: "tool-end", id: call.id, output: line["content"] ?? null, isError: false }] };
}

const EMPTY_ANSWER_PLACEHOLDER = "I understand, but I don't have a specific response.";

function endTurn(state: State, line: JsonObject): WireStep {
  const content = stringOf(line["content"]) ?? "";
  const fault = readFault(state, content, line);
  if (fault !== undefined) return { events: [], turnEnd: { finish: "error", fault } };
  const events = content === EMPTY_ANSWER_PLACEHOLDER ? [] : addText(state, content);
  return { events, turnEnd: { finish: "stop", ...(events.length > 0 && { answerId: messageOf(state) }) } };
}

const ERROR_WORDS = "Sorry, I encountered an error: ";
const ROUND_LIMIT_WORDS = "Maximum tool execution rounds reached.";

/** The CLI's own sentences look like the model's; their position distinguishes them. */
function readFault(state: State, content: string, event: JsonObject): Fault | undefined {
  if (state.lastRole === "tool" && content.startsWith(ROUND_LIMIT_WORDS))
    return { kind: "max_tool_rounds", message: content, event };
  if (state.lastRole !== "user" || !content.startsWith(ERROR_WORDS)) return undefined;
  const message = content.slice(ERROR_WORDS.length);
  const status = /API error(?: \(model: .*?\))?: (\d{3})\b/.exec(message)?.[1];
  return { message, event, ...(status !== undefined && { status: Number(status) }) };
}
