import type { RunRequest } from "./request.ts";
import type { RunEnd, RunEvent } from "./wire/events.ts";

/** Who started a run: `client.run`, a turn of a session, a deep health check, or an agent. */
export type RunKind = "run" | "session" | "check" | "agent";

/**
 * Events of one run as they were written, with what they belong to. All events of a batch belong to one attempt; the last batch has `end`, so
 * that a listener gets the last events of a run together with its end.
 */
export type RunBatch = {
  readonly runId: string;
  readonly kind: RunKind;
  /** The request as the caller wrote it; an agent has none. It may contain secrets of the caller, such as those of `env`. */
  readonly request?: RunRequest;
  /** The session and the number of its turn, from 1; absent until the session is opened. */
  readonly session?: { readonly id: string; readonly turn: number };
  /** The CLI of the attempt, or before the first attempt the one that is asked first. */
  readonly provider?: string;
  readonly model?: string;
  /** The number of the attempt, from 1; 0 before the first. */
  readonly attempt: number;
  readonly events: readonly RunEvent[];
  readonly end?: Extract<RunEvent, RunEnd>;
};

/**
 * Gets the events of each run. It is called while the run goes on, so it should return soon. A promise is not awaited. An error or a rejection does
 * not reach the run; the first one of a listener is a warning of the process.
 */
export type RunListener = (batch: RunBatch) => unknown;

export type LogLevel = (typeof LOG_LEVELS)[number];

/** The levels of a log, the most important first. */
export const LOG_LEVELS = ["error", "warn", "info", "debug"] as const;

/** A line of a log; secrets are already removed. Prompts, answers and the values of tool calls are only in `data`. */
export type LogEntry = {
  /** ISO time. */
  readonly time: string;
  readonly level: LogLevel;
  readonly runId: string;
  /** The CLI and its model, such as `claude/opus`. */
  readonly target?: string;
  readonly attempt: number;
  readonly session?: string;
  readonly turn?: number;
  readonly message: string;
  /** The failure code or the code of a warning. */
  readonly code?: string;
  /** The event or the request that the line is about, with long texts cut; only in a log of the level `debug`. */
  readonly data?: unknown;
};

/** Where the log of a client goes: lines of JSON at the end of a file, or a function. */
export type LogOptions = {
  /** The least important level that is written; `info` by default. */
  readonly level?: LogLevel;
} & (
  | {
      /** Lines are added to it; a new file can be read by its owner only. Its directory must exist. */
      readonly file: string;
      readonly write?: never;
    }
  | { readonly write: (entry: LogEntry) => unknown; readonly file?: never }
);
