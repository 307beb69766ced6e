import type { FailureCode } from "../../../src/index.ts";
import type { JsonObject, JsonValue } from "../../../src/spec/json.ts";
import type { EventDraft } from "../../../src/spec/wire/events.ts";
import type { Usage } from "../../../src/spec/wire/usage.ts";
import type { Fault, TurnEnd } from "../../../src/spec/wire/wire.ts";
import type { FakeStep } from "../../../src/testing/index.ts";

/** An output line of a played CLI: events, and perhaps the end of the turn. */
export type Line = { readonly events?: readonly EventDraft[]; readonly end?: TurnEnd };

/** One step of a start: an output line, a wait for a word of the test, or a step of the fake CLI of coxswain/testing. */
export type Step = Line | { readonly until: string } | FakeStep;

/** The steps of one start of a CLI. */
export type Play = readonly Step[];

/** The session id of every start. */
export const SESSION = "11111111-2222-4333-8444-555555555555";

/** Token counts as a CLI reports them. */
export function tokens(inputTokens: number, outputTokens: number): Usage {
  return { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens, estimated: false, scope: "turn" };
}

/** The usage of one good start. */
export const USAGE: Usage = tokens(10, 3);

/** The usage and cost of a start. */
export type Spending = { readonly usage?: Usage; readonly costUsd?: number };

/** Reports usage and cost. */
export function spends({ usage = USAGE, costUsd }: Spending): EventDraft {
  return { type: "usage", usage, ...(costUsd !== undefined && { costUsd }) };
}

/** How a start prints its answer. */
export type AnswerOptions = Spending & {
  /** The pieces in which the text is printed; all at once by default. */
  readonly pieces?: readonly string[];
  readonly messageId?: string;
  readonly sessionId?: string;
  readonly object?: JsonValue;
  readonly end?: Partial<TurnEnd>;
  /** Steps between the session id and the text. */
  readonly before?: Play;
  /** Steps after the text, before the end of the turn. */
  readonly after?: Play;
};

/** A start that answers, by default always under the same message id. Without any text it has no message. */
export function answers(text: string, options: AnswerOptions = {}): Play {
  const { messageId = "message", sessionId = SESSION, before = [], after = [], object } = options;
  const said = (options.pieces ?? (text === "" ? [] : [text])).map((piece) => says(piece, messageId));
  const isSaid = [...before, ...said, ...after].some((step) => saysIn(step, messageId));
  return [
    begins(sessionId),
    ...before,
    ...said,
    ...after,
    ...(isSaid ? [emit({ type: "text-end", messageId })] : []),
    ...(object === undefined ? [] : [emit({ type: "object-delta", object })]),
    // One line: a budget that this usage spends does not stop an answer that is complete.
    { events: [spends(options)], end: { finish: "stop", ...(isSaid && { answerId: messageId }), ...options.end } },
  ];
}

/** A start that plays the given steps and fails with this code. */
export function fails(code: FailureCode, fault: Partial<Fault> = {}, before: Play = []): Play {
  return [begins(), ...before, ends({ finish: "error", fault: { message: `This is ${code}.`, kind: code, ...fault } })];
}

/** A start that answers after the test has called `tell` with this word. */
export function answersWhenTold(word: string, text = "Told."): Play {
  return answers(text, { before: [{ until: word }] });
}

/** A step that takes longer than any test. */
export const FOREVER: Step = { do: "wait", ms: 600_000 };

/** A start that never ends by itself. */
export const hangs: Play = [begins(), FOREVER];

/** Prints a text under the message id that every start of this CLI uses. */
export function says(text: string, messageId = "message"): Line {
  return emit({ type: "text-delta", messageId, text });
}

/** Prints an event. */
export function emit(event: EventDraft): Line {
  return { events: [event] };
}

/** Ends the turn. */
export function ends(end: TurnEnd): Line {
  return { end };
}

/** Prints lines of a real CLI. */
export function prints(...lines: readonly JsonObject[]): Play {
  return lines.map((value) => ({ do: "print", value }));
}

function begins(sessionId: string = SESSION): Line {
  return emit({ type: "session-start", sessionId, model: "played" });
}

function saysIn(step: Step, messageId: string): boolean {
  const { events = [] } = step as Line;
  return events.some((event) => event.type === "text-delta" && event.messageId === messageId);
}
