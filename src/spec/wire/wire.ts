import type { JsonObject, JsonValue } from "../json.ts";
import type { PromptRequest } from "../request.ts";
import type { HostAnswer, HostQuestion } from "../stream.ts";
import type { EventDraft, Finish } from "./events.ts";
import type { RunningTotals, SessionTotals } from "./usage.ts";

/** How stdout is split into native values: JSON lines, one JSON document, or plain text. */
export type OutputFormat = "stream-json" | "json" | "text";

/** An error as a CLI reported it, before it is classified. */
export type Fault = {
  readonly message: string;
  /** True if the message is all that a failed process printed on stdout: its stderr is then evidence as well. */
  readonly isOutput?: true;
  /** The CLI's own name of the error. */
  readonly kind?: string;
  /** The HTTP status of the upstream service. */
  readonly status?: number;
  /** The wait before a retry, if the CLI or its service states it. */
  readonly retryAfterMs?: number;
  /** ISO time at which a used-up quota is reset. */
  readonly resetAt?: string;
  readonly event?: JsonObject;
};

/** The end of a turn as the CLI declared it. */
export type TurnEnd = {
  readonly finish: Finish;
  /** The message that is the final answer, if there is one. */
  readonly answerId?: string;
  readonly fault?: Fault;
  /** The totals of the CLI's session, for CLIs that report running totals. */
  readonly totals?: SessionTotals;
};

/** A text for the CLI's stdin, or EOF. */
export type Send = { readonly text: string } | { readonly close: true };

/** The events of one native value, and what is sent because of it. */
export type WireStep = {
  /** True if the CLI asks its model again after this value; the result of a tool says so too. */
  readonly asksAgain?: boolean;
  readonly events: readonly EventDraft[];
  /** The value only shows that the CLI is alive (a hook, a timed progress line); the first-event and idle clocks go on. */
  readonly isHeartbeat?: true;
  /**
   * What the CLI waits for after it has declared an answer that does not end the run: background `work`, or a `turn` that it is
   * about to begin by itself. `nothing` when that turn begins.
   */
  readonly waitsFor?: "work" | "turn" | "nothing";
  /** Permission requests and calls of host tools; each answer goes to `answer`. */
  readonly asks?: readonly HostQuestion[];
  /** All host calls of the model's message are known, and the CLI waits for their results; the turn can be parked. */
  readonly awaitsResults?: true;
  readonly send?: readonly Send[];
  readonly turnEnd?: TurnEnd;
};

/**
 * What is known before a turn, for CLIs that report running totals: those with which the CLI's count may begin, besides zero. An empty list
 * for a new session; absent if nothing is known.
 */
export type TurnBaseline = {
  readonly totalsBefore?: readonly RunningTotals[];
  /** Present if the turn continues a session of which nothing is known. */
  readonly continuesUnknown?: true;
};

/** The exit of a process; for text output it is the only sign of the end. */
export type ExitReport = {
  readonly exitCode?: number;
  readonly signal?: string;
  /** True if the process could not print everything, because a disk is full; the run then fails. */
  readonly isCut?: boolean;
};

/** One turn of a connection: how it begins, what each native value means, and how it ends. */
export type WireTurn = {
  begin(): WireStep;
  step(native: JsonValue): WireStep;
  /**
   * Answers a permission request or a call; absent if the CLI takes no answers, and then the host is not asked. The result of a call may
   * come before the CLI asks for it.
   */
  readonly answer?: (requestId: string, answer: HostAnswer) => WireStep;
  /** What the turn has used so far, while it goes on; present if the CLI reports it before its end. */
  readonly spent?: () => Extract<EventDraft, { type: "usage" }> | undefined;
  /** Called when the turn is parked; returns the usage so far, which its end does not count again. */
  readonly park?: () => WireStep;
  /**
   * Continues the conversation of a turn that has ended with an answer: the CLI gets this prompt after all that it knows already. Its settings
   * are those of the turn before. Absent if the CLI begins a new conversation with each turn.
   */
  readonly goOn?: (request: PromptRequest) => WireStep;
  /** What the CLI has not answered yet although nothing works without it; the failure of a turn that ends then says so. */
  readonly unanswered?: () => Unanswered | undefined;
  /** Called once when a turn that has ended is not continued; returns what makes the CLI forget its conversation. */
  readonly leave?: () => readonly Send[];
  /** Interrupts the turn; used when the process goes on with other turns. */
  interrupt(): WireStep;
  /** Called at most once, without a turn end: after the last output, or when the wait for background work timed out. */
  finish(exit: ExitReport): WireStep;
};

/** A request to which a CLI that does not speak the protocol of its wire has no answer. */
export type Unanswered = {
  readonly request: string;
  /** The first line that it printed instead; it may have secrets. */
  readonly line?: string;
  readonly hint: string;
};

/** The number of a turn in its connection. */
export type TurnKey = number;

export type Place = {
  /** Its working directory, an absolute path. */
  readonly directory: string;
};

/** A native value, or a part of it, and the turn that it belongs to. */
export type RoutedValue = {
  readonly turn?: TurnKey;
  readonly native: JsonValue;
  /** What is sent because of the value, whatever its turn sends; such as the answer to a request that concerns no turn. */
  readonly send?: readonly Send[];
};

/** The state of the exchange with one process: handshake, request numbers and totals. */
export type Connection = {
  /** Returns what is sent before the first turn; a turn that begins before the handshake is over waits for it. */
  open(): readonly Send[];
  start(turn: TurnKey, request: PromptRequest, before: TurnBaseline): WireTurn;
  /** Assigns a native value to its turns; without `route`, and if it returns undefined, the value belongs to the open turn. */
  readonly route?: (native: JsonValue) => readonly RoutedValue[] | undefined;
  /**
   * For a process that takes several turns: whether it may take this request next. A request without a session must not see an earlier
   * turn; one that resumes a session may go to the process that has it open. Without `takes` every request is taken.
   */
  readonly takes?: (request: PromptRequest) => boolean;
  /** True if the process has this session in memory, so that it would not notice what another process adds to the session. */
  readonly holds?: (session: string) => boolean;
  /** True if the process takes no further turn of any request, so that it can be ended. */
  readonly isSpent?: () => boolean;
  /** Returns what tells the process the settings of this request (`Wire.preparation`) before a turn with them begins. */
  readonly prepare?: (request: PromptRequest) => readonly Send[];
  /** True if the process is prepared for a turn that has not begun: with any settings, or with those of this request. */
  readonly isPrepared?: (request?: PromptRequest) => boolean;
};

/** What a process that waits can be told about its next turn while the prompt is not known yet. */
export type Preparation = {
  /**
   * The settings that it can be told, or an empty text if it can be prepared without any; undefined if it cannot be prepared for this
   * request. They contain nothing of the prompt.
   */
  settingsOf(request: PromptRequest): JsonValue | undefined;
  /** True if a process that is prepared for this request takes none with other settings, so that another process waits for those. */
  bindsToSettings(request: PromptRequest): boolean;
};

/** The language of a CLI in both directions: a pure reducer that turns native values into events and sends. */
export type Wire = {
  readonly framing: OutputFormat;
  /** Set if answers name only the numbers of requests, so that recorded output cannot be read without what was sent. */
  readonly protocol?: "acp";
  /** The number of turns that one process can take at the same time. */
  readonly turnsAtOnce: number;
  /**
   * Reads a frequent line of JSON faster than `JSON.parse`; undefined for any other line. Fields that the wire does not read may be
   * absent from the value.
   */
  readonly readLine?: (line: string) => JsonValue | undefined;
  /** What a turn can tell while it goes on (`WireTurn.spent`): its tokens, or its tokens and their cost. */
  readonly countsSteps?: "tokens" | "cost";
  /** Present if a process that waits can be prepared for its next turn. */
  readonly preparation?: Preparation;
  /** Opens the exchange with one process; the place is absent when no process is started, as in a replay. */
  connect(place?: Place): Connection;
};
