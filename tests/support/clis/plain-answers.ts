import type { JsonObject, JsonValue } from "../../../src/spec/json.ts";
import type { ToolDefinition } from "../../../src/spec/message.ts";
import type { EventDraft } from "../../../src/spec/wire/events.ts";
import type { Usage } from "../../../src/spec/wire/usage.ts";
import type { TurnEnd } from "../../../src/spec/wire/wire.ts";
import type { FakeStep } from "../../../src/testing/index.ts";

/** The tools that the tests bind. */
export const WEATHER: ToolDefinition = {
  name: "get_weather",
  description: "Weather of a city",
  parameters: {
    type: "object",
    properties: { city: { type: "string" } },
    required: ["city"],
    additionalProperties: false,
  },
};
export const CLOCK: ToolDefinition = { name: "now", description: "The time" };

/** The usage of one good attempt. */
export const USAGE: Usage = { inputTokens: 10, outputTokens: 3, totalTokens: 13, estimated: false, scope: "turn" };

/** The default session id of the CLI. */
export const SESSION = "11111111-2222-4333-8444-555555555555";

/** How the CLI of a test prints its answer. */
export type AnswerOptions = {
  /** The pieces in which the text is printed; all at once by default. */
  readonly pieces?: readonly string[];
  readonly messageId?: string;
  readonly usage?: Usage;
  readonly costUsd?: number;
  readonly sessionId?: string;
  readonly object?: JsonValue;
  readonly end?: Partial<TurnEnd>;
  /** Steps after stdin was read, before anything is printed. */
  readonly before?: readonly FakeStep[];
  /** Steps after the text, before the end of the turn. */
  readonly after?: readonly FakeStep[];
};

/** The steps of a CLI that reads its prompt and gives this answer, by default always under the same message id. */
export function answers(text: string, options: AnswerOptions = {}): readonly FakeStep[] {
  const { messageId = "message", sessionId = SESSION, usage = USAGE, costUsd, object } = options;
  const said: readonly EventDraft[] = (options.pieces ?? (text === "" ? [] : [text])).map((piece) => ({
    type: "text-delta",
    messageId,
    text: piece,
  }));
  const ended: readonly EventDraft[] = said.length === 0 ? [] : [{ type: "text-end", messageId }];
  const answerId = said.length === 0 ? {} : { answerId: messageId };
  return [
    { do: "read", what: "all" },
    ...(options.before ?? []),
    emit({ type: "session-start", sessionId, model: "plain-model" }),
    ...said.map(emit),
    ...(options.after ?? []),
    ...ended.map(emit),
    ...(object === undefined ? [] : [emit({ type: "object-delta", object })]),
    emit({ type: "usage", usage, ...(costUsd === undefined ? {} : { costUsd }) }),
    declareEnd({ finish: "stop", ...answerId, ...options.end }),
  ];
}

/** The step that prints an event. */
export function emit(event: EventDraft): FakeStep {
  return { do: "print", value: { event } as JsonObject };
}

/** The step that ends the turn. */
export function declareEnd(end: TurnEnd): FakeStep {
  return { do: "print", value: { end } as JsonObject };
}

/** A step that takes longer than any test. */
export const FOREVER: FakeStep = { do: "wait", ms: 600_000 };

/** The block with which a model calls tools. */
export function callBlock(
  ...calls: readonly { readonly name: string; readonly args?: JsonValue; readonly id?: string }[]
): string {
  return ["```json", JSON.stringify({ mark: "{{mark}}", tool_calls: calls }), "```"].join("\n");
}

/** The characters of a text; the placeholder of the mark stays in one piece, because the fake CLI fills it in piece by piece. */
export function charactersOf(text: string): readonly string[] {
  return text.match(/\{\{mark\}\}|./gsu) ?? [];
}

/** The text without the mark of its calls, as content of a conversation may hold it. */
export function unmarked(text: string): string {
  return text.replaceAll('"mark":"{{mark}}",', "");
}

/** A valid call, and one whose JSON ends within a string. */
export const OSLO: string = callBlock({ name: "get_weather", args: { city: "Oslo" }, id: "call_1" });
export const CUT_CALL = '```json\n{"mark":"{{mark}}","tool_calls":[{"name":"get_weather","args":{"city":"Os';
