import { type JsonObject, type JsonValue, objectOf, parseJson, stringOf } from "../../spec/json.ts";
import { defineWire, NO_STEP, type SimpleWire, type TurnContext } from "../../spec/wire/define-wire.ts";
import type { EventDraft } from "../../spec/wire/events.ts";
import type { ExitReport, WireStep } from "../../spec/wire/wire.ts";
import { contentOf, type ExtractionRules, extractFault, extractText, extractUsage } from "./extraction.ts";
import { createJsonEvents, finishText } from "./json-events.ts";

type State = { readonly context: TurnContext; readonly rules: ExtractionRules; document: JsonValue | undefined };

const ANSWER = "answer";

/**
 * One JSON document of a CLI without a wire of its own: an object with the answer in one of the usual fields or at the paths of
 * the rules, or a list of events. docs/dialects/generic.md has the rules.
 */
export function createJsonObject(rules: ExtractionRules = {}): SimpleWire {
  return defineWire<State>({
    framing: "json",
    start: (context) => ({ context, rules, document: undefined }),
    step(state: State, native: JsonValue): WireStep {
      state.document = native;
      return NO_STEP;
    },
    finish,
  });
}

function finish({ context, rules, document }: State, exit: ExitReport): WireStep {
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
