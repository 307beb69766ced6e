import type { EventDraft, Finish } from "./events.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import type { PromptRequest } from "./request.ts";
import type { PermissionAnswer, PermissionQuestion } from "./stream.ts";
import type { Usage } from "./usage.ts";

/** How stdout is cut into the values that a wire reads: JSON lines, one JSON document, or plain text. */
export type OutputFormat = "stream-json" | "json" | "text";

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

/** What goes to the CLI's stdin: a text, or its end. */
export type Send = { readonly text: string } | { readonly close: true };

/** What one native value meant, and what is sent because of it. */
export type WireStep = {
  readonly events: readonly EventDraft[];
  /** The CLI only showed that it is alive (a hook, a progress line on a clock): clocks that wait for the model or a tool run on. */
  readonly isHeartbeat?: true;
  /**
   * The CLI declared the end of a turn, and the run goes on: `work` in the background is still open, or the CLI is about to take
   * another `turn` by itself. `nothing` when it does.
   */
  readonly waitsFor?: "work" | "turn" | "nothing";
  /** Questions for the host; each answer is given to `answer`. */
  readonly asks?: readonly PermissionQuestion[];
  readonly send?: readonly Send[];
  readonly turnEnd?: TurnEnd;
};

/** What is known before a turn begins, for CLIs that only report totals: the totals of the thread. */
export type TurnBaseline = { readonly usageBefore?: Usage };

/** How the process ended; text output has no other terminal sign. */
export type ExitReport = { readonly exitCode?: number; readonly signal?: string };

/** One turn: what is sent to begin it, what each native value means, and what is sent in between. */
export type WireTurn = {
  begin(): WireStep;
  /** Reads one native value. */
  step(native: JsonValue): WireStep;
  /** Answers a question by its `requestId`; missing where the CLI takes no answers, and then the host is not asked. */
  readonly answer?: (requestId: string, answer: PermissionAnswer) => WireStep;
  /** Gives the turn up; asked for where the process goes on with other turns. */
  interrupt(): WireStep;
  /** Asked once, when no turn end was seen and the output is over, or open work was waited for long enough. */
  finish(exit: ExitReport): WireStep;
};

/** Names a turn of a connection. */
export type TurnKey = number;

/** What is said with one process: its handshake, its numbers for requests and its totals are the state of the connection. */
export type Connection = {
  /** What is sent before the first turn. */
  open(): readonly Send[];
  start(turn: TurnKey, request: PromptRequest, before: TurnBaseline): WireTurn;
  /** Which turns a native value belongs to; without it all values belong to the turn that is open. */
  readonly route?: (native: JsonValue) => readonly { readonly turn?: TurnKey; readonly native: JsonValue }[];
};

/** The language of a CLI in both directions: a pure reducer from native values to events and to what is sent. */
export type Wire = {
  readonly framing: OutputFormat;
  /** How many turns one process takes at the same time. */
  readonly turnsAtOnce: number;
  connect(): Connection;
};
