import type { Failure } from "./failure/failure.ts";
import type { JsonValue } from "./json.ts";
import type { HostCall } from "./message.ts";
import type { Target } from "./request.ts";
import type { RunResult } from "./result.ts";
import type { PermissionRequest, RunEvent } from "./wire/events.ts";

export type PermissionQuestion = Omit<PermissionRequest, "type" | "id">;

export type PermissionAnswer =
  | { readonly behavior: "allow"; readonly updatedInput?: JsonValue }
  | { readonly behavior: "deny"; readonly message: string };

/** A call of a host tool for which the CLI waits; its id is that of the answer. */
export type ToolQuestion = { readonly kind: "tool"; readonly requestId: string; readonly call: HostCall };

/** The result of a host tool, as the model gets it. */
export type ToolAnswer = { readonly text: string; readonly isError: boolean };

/** What a CLI asks the host during a turn. */
export type HostQuestion = PermissionQuestion | ToolQuestion;

export type HostAnswer = PermissionAnswer | ToolAnswer;

/**
 * Runs a host tool in this process. The arguments match the tool's schema. The model gets a text as it is and any other value as JSON; an
 * error that is thrown becomes a failed call, which the model can react to. The signal aborts when the run ends or the call takes too long.
 */
export type CallTool = (call: HostCall, options: { readonly signal: AbortSignal }) => unknown;

/** Decides about each attempt of a run when its turn has come: after its wait in the queue, or before a retry. */
export type AttemptGate = {
  /** Called before an attempt; a failure refuses it. */
  enter(target: Target): Failure | undefined;
  /** Called when an attempt that was let through has ended, and again with the reason if a policy stopped it because of its service. */
  leave(target: Target, failure: Failure | undefined): void;
};

/** Options of a run that are not plain data. */
export type RunContext = {
  /** Aborting it ends the run with `cancelled`. */
  readonly signal?: AbortSignal;
  /**
   * Called when the CLI of an agent asks whether a tool may run. Without it CLIs that can are told to ask nothing and decide by their permission mode;
   * a question that comes anyway is denied.
   */
  readonly onPermission?: (question: PermissionQuestion) => PermissionAnswer | Promise<PermissionAnswer>;
  /** Runs the host tools of the request while the run goes on; without it the run ends with the calls. */
  readonly callTool?: CallTool;
  /**
   * When an attempt is final, so that a failure is not retried: with the first event that shows something, or only at the end.
   * The default is `end` if only `result()` or `outcome()` is used when the attempt fails, and `first-event` if the events are read.
   */
  readonly commit?: "first-event" | "end";
  /**
   * What happens if the queue is full: the run is refused (default), or it waits behind all others. If it may wait, its time in the queue does
   * not count for `timeouts.totalMs`.
   */
  readonly fullQueue?: "refuse" | "wait";
  /** Decides about each attempt; all are let through without it. */
  readonly gate?: AttemptGate;
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
