import type { EventDraft } from "./events.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import type { Finish } from "./result.ts";
import type { PermissionQuestion } from "./stream.ts";
import type { Usage } from "./usage.ts";

/** An error as a CLI reported it, before it is classified. */
export type Fault = {
  readonly message: string;
  /** The CLI's own word for the error. */
  readonly kind?: string;
  /** HTTP status of the upstream answer. */
  readonly status?: number;
  /** How long to wait before another try, where the CLI or its service says so. */
  readonly retryAfterMs?: number;
  /** ISO time at which a spent quota opens again. */
  readonly resetAt?: string;
  readonly event?: JsonObject;
};

/** The end of a turn as the CLI declared it. */
export type TurnEnd = {
  readonly finish: Finish;
  /** The message that is the final answer, if there is one. */
  readonly answerId?: string;
  readonly fault?: Fault;
  /** What the process has spent so far, for CLIs that count it up. */
  readonly totalCostUsd?: number;
};

/** What one native value meant. */
export type DialectStep = {
  readonly events: readonly EventDraft[];
  /** The CLI only showed that it is alive (a hook, a progress line on a clock): clocks that wait for the model or a tool run on. */
  readonly isHeartbeat?: true;
  /**
   * The CLI declared the end of a turn, and the run goes on: `work` in the background is still open, or the CLI is about to take
   * another `turn` by itself. `nothing` when it does.
   */
  readonly waitsFor?: "work" | "turn" | "nothing";
  /** Questions that wait for an answer on stdin. */
  readonly asks?: readonly PermissionQuestion[];
  readonly turnEnd?: TurnEnd;
};

/** What a dialect is told when a turn begins. */
export type DialectContext = {
  /** Totals of the thread before this turn, for CLIs that only report totals. */
  readonly usageBefore?: Usage;
  /** Turns that the same process took before this one, and the money it had spent, for CLIs that count up. */
  readonly turnsBefore?: number;
  readonly costBeforeUsd?: number;
  /** Whether a structured answer was asked for. */
  readonly wantsObject?: boolean;
};

/** How the process ended; text output has no other terminal sign. */
export type ExitReport = { readonly exitCode?: number; readonly signal?: string };

/** One turn being read. */
export type DialectTurn = {
  /** Reads one native value. */
  step(native: JsonValue): DialectStep;
  /** Asked once, when no turn end was seen and the output is over, or open work was waited for long enough. */
  finish(exit: ExitReport): DialectStep;
};

/** A wire language: native values in, events out. */
export type Dialect = { start(context: DialectContext): DialectTurn };

/** A dialect as its author writes it: the state of a turn, and what each native value does to it. */
export type DialectReducer<State> = {
  start(context: DialectContext): State;
  /** May change the state and nothing else. */
  step(state: State, native: JsonValue): DialectStep;
  finish?(state: State, exit: ExitReport): DialectStep;
};

/** Nothing happened. */
export const NO_STEP: DialectStep = { events: [] };

/** Makes a dialect of a reducer; the type of its state stays private. */
export function defineDialect<State>(reducer: DialectReducer<State>): Dialect {
  return {
    start(context) {
      const state = reducer.start(context);
      return {
        step: (native) => reducer.step(state, native),
        finish: (exit) => reducer.finish?.(state, exit) ?? NO_STEP,
      };
    },
  };
}
