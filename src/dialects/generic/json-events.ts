import { type JsonObject, type JsonValue, LONGEST_NOISE, nativeText, objectOf, parseJson, stringOf } from "../../spec/json.ts";
import { defineWire, NO_STEP, type SimpleWire, type TurnContext, type TurnReader } from "../../spec/wire/define-wire.ts";
import type { EventDraft } from "../../spec/wire/events.ts";
import type { Usage } from "../../spec/wire/usage.ts";
import type { ExitReport, Fault, WireStep } from "../../spec/wire/wire.ts";
import { claudeStream } from "../claude/claude-stream.ts";
import { contentOf, type ExtractionRules, extractFault, extractText, extractUsage, isNamedEnd, textOf } from "./extraction.ts";
import { trimmedText } from "./plain-text.ts";

type State = {
  readonly rules: ExtractionRules;
  readonly context: TurnContext;
  /** Lines before the first JSON line; a CLI that prints only such lines answers in plain text. */
  held: string[] | undefined;
  /** Reads Claude's lines, from the first one on. */
  claude: TurnReader | undefined;
  sessionSeen: boolean;
  hasText: boolean;
  usage: Usage | undefined;
  /** The last error, unless the CLI has continued with text. */
  fault: Fault | undefined;
};

const ANSWER = "answer";

/**
 * JSON lines of a CLI without a wire of its own: the events that the provider protocol documents, role messages, Claude's
 * lines, and the fields that the rules name. The answer is their text, joined in order. docs/dialects/generic.md has the rules.
 */
export function createJsonEvents(rules: ExtractionRules = {}): SimpleWire {
  return defineWire<State>({
    start: (context) => ({
      rules,
      context,
      held: [],
      claude: undefined,
      sessionSeen: false,
      hasText: false,
      usage: undefined,
      fault: undefined,
    }),
    step,
    finish,
  });
}

function step(state: State, native: JsonValue): WireStep {
  const line = objectOf(native);
  if (line === undefined) return holdNoise(state, nativeText(native));
  const noise = (state.held ?? []).map((text) => ({ type: "native", text }) as const);
  state.held = undefined;
  const { events, ...rest } = readLine(state, line);
  return { events: [...noise, ...events], ...rest };
}

function holdNoise(state: State, text: string): WireStep {
  if (state.held === undefined) return { events: [{ type: "native", text }] };
  state.held.push(text);
  return NO_STEP;
}

function readLine(state: State, line: JsonObject): WireStep {
  if (isClaudes(line)) {
    state.claude ??= claudeStream.start(state.context);
    return state.claude.step(line);
  }
  state.usage = extractUsage(line, state.rules) ?? state.usage;
  const named = extractText(line, state.rules.content);
  const content = named ?? contentIn(line);
  const events = [...readSession(state, line), ...addText(state, content ?? "")];
  const fault = named === undefined && mayBeFault(line) ? extractFault(line, state.rules) : undefined;
  // The CLI's result of the whole turn takes precedence over earlier errors, from which it may have recovered.
  if (fault !== undefined || line["type"] === "turn.completed") state.fault = fault;
  if (isEnd(line, state.rules)) return endTurn(state, events);
  const isStrange = content === undefined && fault === undefined && !isSilent(line);
  return { events: isStrange ? [...events, { type: "native", value: line }] : events };
}

/** The text that a line of known shape adds to the answer. */
function contentIn(line: JsonObject): string | undefined {
  const { type, role } = line;
  if (typeof role === "string") return role === "assistant" ? textOf(line["content"]) : undefined;
  if (type === undefined) return line["error"] ? undefined : contentOf(line);
  if (type === "content" || type === "text") return textOf(line["content"]) ?? stringOf(line["text"]);
  if (type !== "item.completed") return undefined;
  const item = objectOf(line["item"]) ?? {};
  const nested = stringOf(objectOf(item["agent_message"])?.["text"]);
  return item["type"] === "agent_message" ? (stringOf(item["text"]) ?? nested) : nested;
}

/** An error of a tool is not an error of the turn. */
function mayBeFault({ type, role }: JsonObject): boolean {
  return (type === undefined && role === undefined) || type === "error" || type === "turn.failed";
}

function isEnd(line: JsonObject, rules: ExtractionRules): boolean {
  return line["type"] === "turn.completed" || line["type"] === "turn.failed" || isNamedEnd(line, rules);
}

/** Line types without content. */
function isSilent({ type, role }: JsonObject): boolean {
  return role === "user" || role === "assistant" || type === "turn.started" || type === "thread.started";
}

const CLAUDES: Readonly<Record<string, string>> = {
  system: "subtype",
  assistant: "message",
  user: "message",
  result: "subtype",
  stream_event: "event",
  control_request: "request",
};

function isClaudes({ type, ...fields }: JsonObject): boolean {
  const field = typeof type === "string" && Object.hasOwn(CLAUDES, type) ? CLAUDES[type] : undefined;
  return field !== undefined && fields[field] !== undefined;
}

function readSession(state: State, line: JsonObject): readonly EventDraft[] {
  const threadId = line["type"] === "thread.started" ? stringOf(line["thread_id"]) : undefined;
  const sessionId = extractText(line, state.rules.sessionId) ?? threadId;
  if (sessionId === undefined || state.sessionSeen) return [];
  state.sessionSeen = true;
  return [{ type: "session-start", sessionId }];
}

function addText(state: State, text: string): readonly EventDraft[] {
  if (text === "") return [];
  state.hasText = true;
  state.fault = undefined;
  return [{ type: "text-delta", messageId: ANSWER, text }];
}

function endTurn(state: State, events: readonly EventDraft[]): WireStep {
  const { hasText, usage, fault } = state;
  if (fault !== undefined) return { events, turnEnd: { finish: "error", fault } };
  return {
    events: [
      ...events,
      ...(hasText ? [{ type: "text-end", messageId: ANSWER } as const] : []),
      ...(usage === undefined ? [] : [{ type: "usage", usage } as const]),
    ],
    turnEnd: { finish: "stop", ...(hasText && { answerId: ANSWER }) },
  };
}

/** Without a line that ends the turn, the exit of the program ends it. */
function finish(state: State, exit: ExitReport): WireStep {
  const { held, claude, rules, fault } = state;
  if (held !== undefined && held.length > 0) return finishText(held, exit);
  if (claude !== undefined) return claude.finish(exit);
  if (exit.signal !== undefined || (fault === undefined && exit.exitCode !== 0)) return NO_STEP;
  return rules.end !== undefined && fault === undefined ? NO_STEP : endTurn(state, []);
}

/** Malformed output of a program that exits with 0 is its answer in plain text. */
function finishText(lines: readonly string[], exit: ExitReport): WireStep {
  const turn = trimmedText.start({});
  turn.step(lines.join("\n"));
  const { events, ...rest } = turn.finish(exit);
  if (rest.turnEnd?.fault === undefined && lines.some(({ length }) => length >= LONGEST_NOISE)) return { events };
  const isAnswer = rest.turnEnd?.answerId !== undefined;
  return { events: [...(isAnswer ? [NOT_JSON] : []), ...events], ...rest };
}

const NOT_JSON: EventDraft = {
  type: "warning",
  code: "answer-not-json",
  message: "The CLI was to print JSON and printed text; it was taken as it is.",
};

type ObjectState = { readonly context: TurnContext; readonly rules: ExtractionRules; document: JsonValue | undefined };

/**
 * One JSON document of a CLI without a wire of its own: an object with the answer in one of the usual fields or at the paths of
 * the rules, or a list of events. docs/dialects/generic.md has the rules.
 */
export function createJsonObject(rules: ExtractionRules = {}): SimpleWire {
  return defineWire<ObjectState>({
    framing: "json",
    start: (context) => ({ context, rules, document: undefined }),
    step(state: ObjectState, native: JsonValue): WireStep {
      state.document = native;
      return NO_STEP;
    },
    finish: finishDocument,
  });
}

function finishDocument({ context, rules, document }: ObjectState, exit: ExitReport): WireStep {
  const value = typeof document === "string" ? (findDocument(document) ?? document) : document;
  if (typeof value === "string") return finishText([value], exit);
  if (Array.isArray(value)) return readList(value, createJsonEvents(rules).start(context), exit);
  return readObject(objectOf(value) ?? {}, rules, exit);
}

function readObject(value: JsonObject, rules: ExtractionRules, exit: ExitReport): WireStep {
  const content = extractText(value, rules.content);
  const fault = content === undefined ? extractFault(value, rules) : undefined;
  const sessionId = extractText(value, rules.sessionId) ?? stringOf(value["session_id"]);
  const session: readonly EventDraft[] = sessionId === undefined ? [] : [{ type: "session-start", sessionId }];
  if (fault !== undefined && exit.signal === undefined) return { events: session, turnEnd: { finish: "error", fault } };
  const text = content ?? contentOf(value) ?? "";
  const textEvents: readonly EventDraft[] = text === "" ? [] : [{ type: "text-delta", messageId: ANSWER, text }];
  if (exit.signal !== undefined || exit.exitCode !== 0) return { events: [...session, ...textEvents] };
  const usage = extractUsage(value, rules);
  return {
    events: [
      ...session,
      ...(text === "" && Object.keys(value).length > 0 ? [{ type: "native", value } as const] : []),
      ...textEvents,
      ...(text === "" ? [] : [{ type: "text-end", messageId: ANSWER } as const]),
      ...(usage === undefined ? [] : [{ type: "usage", usage } as const]),
    ],
    turnEnd: { finish: "stop", ...(text !== "" && { answerId: ANSWER }) },
  };
}

function readList(list: readonly JsonValue[], turn: ReturnType<SimpleWire["start"]>, exit: ExitReport): WireStep {
  const events: EventDraft[] = [];
  for (const native of list) {
    const next = objectOf(native) === undefined ? { events: [] } : turn.step(native);
    events.push(...next.events);
    if (next.turnEnd !== undefined) return { events, turnEnd: next.turnEnd };
  }
  const last = turn.finish(exit);
  return { ...last, events: [...events, ...last.events] };
}

const MOST_TRIES = 50;

/** Banners may come before a document: it begins at the start of a line and extends to the end of the output. */
function findDocument(text: string): JsonValue | undefined {
  let tries = 0;
  for (const { index } of text.matchAll(/^[ \t]*[{[]/gm)) {
    const value = parseJson(text.slice(index));
    if (typeof value === "object" && value !== null) return value;
    tries += 1;
    if (tries === MOST_TRIES) return undefined;
  }
  return undefined;
}
