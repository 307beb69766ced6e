import { FAILURE_CODES, type FailureCode } from "../../../src/index.ts";
import { defineProvider, defineWire, type Provider } from "../../../src/provider.ts";
import type { PromptRequest } from "../../../src/spec/request.ts";
import type { EventDraft } from "../../../src/spec/wire/events.ts";
import type { Usage } from "../../../src/spec/wire/usage.ts";
import type { Fault, TurnEnd } from "../../../src/spec/wire/wire.ts";
import { plainCli } from "./plain-cli.ts";

/** One step of a start: a line with events and perhaps the end of the turn, a pause, a wait for the test, or a crash. */
export type Step =
  | { readonly events?: readonly EventDraft[]; readonly end?: TurnEnd }
  | { readonly waitMs: number }
  | { readonly until: string }
  | { readonly dies: NodeJS.Signals };

/** The steps of one start of a CLI. */
export type Play = readonly Step[];

/** The fields of the request that a start got as arguments. */
export type Told = Pick<
  PromptRequest,
  "system" | "session" | "outputSchema" | "effort" | "maxTurns" | "maxOutputTokens" | "images" | "budget"
> & { readonly model?: string };

type Line = { readonly events?: readonly EventDraft[]; readonly end?: TurnEnd };

/** A CLI that plays the steps of each test; its error names are failure codes. */
export const playedCli: Provider = defineProvider({
  ...plainCli,
  options: ["session-id", "session-resume", "session-fork", "profile"],
  env: { set: {}, strip: [], apiKeys: ["PLAYED_KEY"], profile: "PLAYED_PROFILE" },
  transports: {
    spawn: {
      ...plainCli.transports.spawn,
      launch: ({ system, session, outputSchema, effort, maxTurns, maxOutputTokens, images, budget }, { model }) => ({
        args: [JSON.stringify({ system, session, outputSchema, effort, maxTurns, maxOutputTokens, images, budget, model })],
      }),
      wire: defineWire({
        start: () => ({}),
        step(_state, native) {
          const { events = [], end } = native as Line;
          return end === undefined ? { events } : { events, turnEnd: end };
        },
      }),
    },
  },
  faults: (Object.keys(FAILURE_CODES) as FailureCode[]).map((code) => ({ kind: code, code })),
});

/** The session id of every start. */
export const SESSION = "11111111-2222-4333-8444-555555555555";

/** Token counts as a CLI reports them. */
export function tokens(inputTokens: number, outputTokens: number): Usage {
  return { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens, estimated: false, scope: "turn" };
}

/** The usage and cost of a start. */
export type Spending = { readonly usage?: Usage; readonly costUsd?: number };

/** Prints a text under the message id that every start of this CLI uses. */
export function says(text: string, messageId = "message"): Step {
  return { events: [{ type: "text-delta", messageId, text }] };
}

/** Prints the session id. */
const begins: Step = { events: [{ type: "session-start", sessionId: SESSION, model: "played" }] };

/** Reports usage and cost. */
export function spends({ usage = tokens(10, 3), costUsd }: Spending): EventDraft {
  return { type: "usage", usage, ...(costUsd !== undefined && { costUsd }) };
}

/** A start that plays the given steps and answers. */
export function answers(text: string, spending: Spending = {}, before: Play = []): Play {
  const end: TurnEnd = { finish: "stop", answerId: "message" };
  return [begins, ...before, says(text), { events: [{ type: "text-end", messageId: "message" }, spends(spending)], end }];
}

/** A start that plays the given steps and fails with this code. */
export function fails(code: FailureCode, fault: Partial<Fault> = {}, before: Play = []): Play {
  return [begins, ...before, { end: { finish: "error", fault: { message: `This is ${code}.`, kind: code, ...fault } } }];
}

/** A start that answers after the test has called `tell` with this word. */
export function answersWhenTold(word: string, text = "Told."): Play {
  return answers(text, {}, [{ until: word }]);
}

/** A start that never ends by itself. */
export const hangs: Play = [begins, { until: "never" }];
