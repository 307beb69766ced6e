import type { RunEvent } from "./events.ts";
import type { JsonValue } from "./json.ts";
import type { RunResult } from "./result.ts";

/** A permission request of the CLI for a tool call. */
export type PermissionQuestion = { readonly requestId: string; readonly name: string; readonly input: JsonValue };

/** The host's answer to a permission request. */
export type PermissionAnswer =
  | { readonly behavior: "allow"; readonly updatedInput?: JsonValue }
  | { readonly behavior: "deny"; readonly message: string };

/** Options of a run that are not plain data. */
export type RunContext = {
  /** Aborting it ends the run with `cancelled`. */
  readonly signal?: AbortSignal;
  /** Called before a tool runs, if the CLI supports it; without it the CLI decides by its permission mode. */
  readonly onPermission?: (question: PermissionQuestion) => PermissionAnswer | Promise<PermissionAnswer>;
  /**
   * When an attempt is final, so that a failure is not retried: with the first event that shows something, or only at the end.
   * The default is `first-event` when the events are read and `end` when only the result is used.
   */
  readonly commit?: "first-event" | "end";
  /**
   * What happens if the queue is full: the run is refused (default), or it waits behind all others. If it may wait, its time in the queue does
   * not count for `timeouts.totalMs`.
   */
  readonly fullQueue?: "refuse" | "wait";
  /** Puts all events into the result. */
  readonly keepEvents?: boolean;
  /** More turns of this session follow: a process that can take them is kept. */
  readonly keepsProcess?: boolean;
};

/**
 * A run in progress. Iterating yields its events and never throws, however the run ends; leaving the loop early cancels the run. The
 * events can be read once, in one of the two ways or by `result()`: a second reader gets a TypeError before its first event.
 */
export type RunStream<Output = JsonValue> = AsyncIterable<RunEvent> & {
  /** The same events in batches. */
  batches(): AsyncIterable<readonly RunEvent[]>;
  /** The result of the run; rejects with a RunError when the run failed. Reads the events if they are not read otherwise. */
  result(): Promise<RunResult<Output>>;
  /** The result of the run, failed or not; never rejects and does not read the events. */
  outcome(): Promise<RunResult<Output>>;
  /** Cancels the run; it ends with `cancelled`. */
  interrupt(): void;
};
