import type { RunEvent } from "./events.ts";
import type { JsonValue } from "./json.ts";
import type { RunResult } from "./result.ts";

/** What the CLI wants to know about a tool call it is about to make. */
export type PermissionQuestion = { readonly requestId: string; readonly name: string; readonly input: JsonValue };

/** The host's answer. */
export type PermissionAnswer =
  | { readonly behavior: "allow"; readonly updatedInput?: JsonValue }
  | { readonly behavior: "deny"; readonly message: string };

/** What a run needs that is not data. */
export type RunContext = {
  /** Ends the run with `cancelled` when it aborts. */
  readonly signal?: AbortSignal;
  /** Asked before a tool runs, where the CLI can ask; without it the CLI decides by its permission mode. */
  readonly onPermission?: (question: PermissionQuestion) => PermissionAnswer | Promise<PermissionAnswer>;
  /**
   * From when on an attempt that fails is not repeated: with the first event that shows something, or only at the end. By default
   * the former when the events are read and the latter when only the result is asked for.
   */
  readonly commit?: "first-event" | "end";
  /** Keeps every event in the result. */
  readonly keepEvents?: boolean;
};

/** A run in progress. Iterating gives its events and never throws; leaving the loop early cancels the run. */
export type RunStream = AsyncIterable<RunEvent> & {
  /** The same events in the batches in which they were read; layers use this, a stream is read once. */
  batches(): AsyncIterable<readonly RunEvent[]>;
  /** The folded run; rejects with a RunError when the run failed. Reads the stream if nobody else does. */
  result(): Promise<RunResult>;
  /** The folded run, failed or not; never rejects, and leaves the events to whoever reads them. */
  outcome(): Promise<RunResult>;
  /** Stops the run; it ends with `cancelled`. */
  interrupt(): void;
};
