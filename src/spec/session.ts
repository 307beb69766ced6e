import type { JsonValue } from "./json.ts";
import type { Message } from "./message.ts";
import type { RunInput, RunRequest, Target, TargetChoice } from "./request.ts";
import type { RunResult } from "./result.ts";
import type { RunContext, RunStream } from "./stream.ts";
import type { RunningTotals, Usage } from "./wire/usage.ts";

/** The fields of a request that belong to one message. */
type OfOneMessage = "prompt" | "messages" | "images" | "outputSchema" | "session" | "metadata";

/** The settings of a session: those of a request, for all its turns. */
export type SessionSettings = Omit<RunRequest, OfOneMessage>;

/** The options of a new session: its targets, its settings and how it is stored. */
export type SessionOptions = SessionSettings & {
  /** The provider, or a chain for fallback. */
  readonly target: TargetChoice | readonly TargetChoice[];
  /** The directory of the session; the current one by default. In agent mode the CLI works in it. */
  readonly cwd?: string;
  /** A name under which the session is found again. If a session has it already, that one is continued with its own settings. */
  readonly name?: string;
  /** False: the texts of the conversation are not stored. Then the session cannot be handed over, and its CLI must have sessions. */
  readonly keepThread?: boolean;
};

/** A message to a session: a prompt, or a prompt or new messages with what belongs to this message only. */
export type SessionInput<Output = unknown> =
  | string
  | (Pick<RunInput<Output>, "images" | "outputSchema" | "metadata" | "timeouts" | "budget" | "maxWaitMs" | "toolChoice"> &
      ({ readonly prompt: string } | { readonly messages: readonly Message[] }));

/** The session that a CLI stores for a session of Coxswain. */
export type CliSession = {
  readonly provider: string;
  /** The login, if it is not the default one. */
  readonly profile?: string;
  /** The CLI's own id. */
  readonly id: string;
  /** True if the next turn continues a copy of this session. */
  readonly isFork?: boolean;
  /** What the CLI has counted for this session: the totals with which it may begin the next turn. */
  readonly totals?: readonly RunningTotals[];
};

/** A stored session. The texts of the conversation are in a separate file. */
export type SessionRecord = {
  readonly id: string;
  readonly name?: string;
  /** The targets; the first one gets the next message. */
  readonly targets: readonly [Target, ...Target[]];
  readonly cwd: string;
  /** The settings of each turn, without `env` and `mcpServers`. */
  readonly settings: SessionSettings;
  /** The names of settings that are not stored, because they may contain secrets. */
  readonly leftOut: readonly string[];
  readonly keepsThread: boolean;
  /** The session of the CLI that answered last; absent before the first answer and for a CLI without sessions. */
  readonly cli?: CliSession;
  readonly answeredBy?: Target;
  readonly turns: number;
  /** The mark of the last turn that began; by it a client knows whether it took that turn itself. */
  readonly lastTurn?: string;
  readonly usage?: Usage;
  readonly costUsd?: number;
  /** ISO times. */
  readonly createdAt: string;
  readonly updatedAt: string;
};

/** A conversation of several turns. It takes one turn at a time, also among processes. */
export type Session = AsyncDisposable & {
  readonly id: string;
  /** The record as this object last read or wrote it. */
  readonly record: SessionRecord;
  /** The conversation so far; empty if its thread is not stored. */
  messages(): readonly Message[];
  /** Sends a message and resolves with the result of its turn; rejects with a RunError if the turn failed. */
  send<Output = JsonValue>(input: SessionInput<Output>, context?: RunContext): Promise<RunResult<Output>>;
  /** Sends a message; its turn is a run. */
  stream<Output = JsonValue>(input: SessionInput<Output>, context?: RunContext): RunStream<Output>;
  /** Cancels the turn in progress; the session can be continued. */
  interrupt(): void;
  /** A new session that begins with the same conversation. Throws a RunError if neither the CLI nor the stored thread allows it. */
  fork(options?: { readonly name?: string }): Session;
  /**
   * Sends the next messages to another target, which gets the whole conversation. Another model of the same CLI continues the CLI's
   * session; the same target gets the conversation in a new one. Throws a RunError if a turn is in progress or the thread is not
   * stored.
   */
  handOver(target: TargetChoice | readonly TargetChoice[]): void;
  /** Cancels the turn in progress and takes no further message; the stored session stays. */
  close(): Promise<void>;
};

/** Settings for `resume`: those that are not stored, and those to change. */
export type ResumeOptions = Partial<SessionSettings>;

export type SessionRemoval = {
  readonly record: SessionRecord;
  /** The files in which the CLI itself stores the session, as far as their place is known. */
  readonly transcripts: readonly string[];
  /** True if these files were removed too. */
  readonly removedTranscripts: boolean;
};

export type SessionMethods = {
  /** Opens a session; it is stored with its first message. */
  session(options: SessionOptions): Session;
  /** The stored session with this id, name or id of its CLI; undefined if there is none. */
  resume(id: string, options?: ResumeOptions): Session | undefined;
  /** The stored sessions, the last used first. */
  sessions(): readonly SessionRecord[];
  /** Removes a stored session, and with `transcript` the files of the CLI; undefined if there is none. Throws a RunError if it is in use. */
  removeSession(id: string, options?: { readonly transcript?: boolean }): SessionRemoval | undefined;
};
