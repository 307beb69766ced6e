import { redactFailure } from "../failures/redact.ts";
import type { ParkReason, TakeUsage } from "../process/channel/channel.ts";
import type { ResolvedTarget, ResolvedTargets } from "../request/targets.ts";
import type { OutputValidator } from "../schemas/standard-schema.ts";
import type { Budget } from "../spec/client-options.ts";
import { createFailure, type Failure } from "../spec/failure/failure.ts";
import type { HostCall } from "../spec/message.ts";
import type { PromptRequest, RunRequest } from "../spec/request.ts";
import type { RunResult } from "../spec/result.ts";
import type { RunContext, ToolAnswer } from "../spec/stream.ts";
import type { Finish, RunEnd } from "../spec/wire/events.ts";
import type { KeptTurn, TurnBridge } from "../warm/kept-turns.ts";
import type { EventSink, RunWriter } from "./run-writer.ts";

export type PartContext = Pick<RunContext, "onPermission" | "callTool" | "fullQueue" | "keepsProcess" | "gate"> & {
  /** Runs a host call for the CLI and returns its result; never rejects. The signal aborts when the turn is over. */
  readonly answerCall?: (call: HostCall, signal: AbortSignal) => Promise<ToolAnswer>;
  /** The host tools of an attempt whose calls come by a bridge. */
  readonly bridge?: TurnBridge;
  /** Takes a turn that waits for results of host tools, whose attempt then ends with its calls, or one that has ended with an answer. */
  readonly park?: { readonly [Reason in ParkReason]?: (left: KeptTurn) => void };
  /** What the run may still spend; absent without a budget of money or tokens. */
  readonly budgetLeft?: () => Pick<Budget, "usd" | "tokens"> | undefined;
  /** Books what a turn that was left without a run reports at its end. */
  readonly addLateUsage?: TakeUsage;
  /** True for a turn of a stored session, whose record has what the CLI has counted. */
  readonly isSessionTurn?: boolean;
  /** Aborts when the run is cancelled or a policy stops the part. */
  readonly signal: AbortSignal;
  readonly writer: RunWriter;
  /** All attempts and waits share it; absent if the request sets none. */
  readonly total?: TotalTime;
  /** From this moment on a failed attempt is not repeated. */
  readonly commit: () => "first-event" | "end";
  /** Decides whether a structured answer is valid, if the caller gave a Standard Schema. */
  readonly output?: OutputValidator | undefined;
  /** The result that the run would have if it ended so now; events that are not flushed do not count. */
  readonly resultAt: (end: RunEnd) => RunResult;
  /** Receives the events of attempts instead of the writer. */
  readonly sink?: EventSink;
};

/** Writes events to the run's writer, but not `run-start` and `run-end`, and returns how it ended. Never rejects. */
export type Part = (targets: ResolvedTargets, request: RunRequest, context: PartContext) => Promise<RunEnd>;

/** The innermost part: sends one prompt to one process. Rejects if the provider throws. */
export type Attempt = (cli: ResolvedTarget, request: PromptRequest, context: PartContext) => Promise<RunEnd>;

export type Policy = (next: Part) => Part;

/** What a session adds to a run: a part around the policies of the run, which gets a way to wrap each of its attempts. */
export type SessionPart = (within: (wrapAttempts: Policy) => Part) => Part;

/** The failure has the text so far, unless that is empty. */
export function failedEnd(failure: Failure, partialText = "", finish?: Finish): RunEnd {
  const clean = redactFailure(failure);
  return {
    type: "run-end",
    finish: finish ?? (failure.category === "cancelled" ? "cancelled" : "error"),
    failure: partialText === "" ? clean : { ...clean, partialText },
  };
}

export const CANCELLED: Failure = createFailure("interrupted", "The run was cancelled.");

/** The failure of a run on a client that is closed, and of one that was in progress when it was closed. */
export const CLOSED: Failure = createFailure("interrupted", "The client is closed, so the run was not started.", {
  hint: "Create another client, or close this one after its last run.",
});
export const CLOSED_DURING_RUN: Failure = createFailure("interrupted", "The client was closed during the run.", {
  hint: "Close a client after its last run.",
});

export function cancelledEnd(partialText?: string): RunEnd {
  return failedEnd(CANCELLED, partialText);
}

/** The total time of a run. It starts when the run first waits or starts a process, and can be held while the run waits in a queue. */
export class TotalTime {
  private readonly totalMs: number;
  private startedAt: number | undefined;

  constructor(totalMs: number) {
    this.totalMs = totalMs;
  }

  /** Zero or less when the time is over. */
  leftMs(): number {
    const now = performance.now();
    this.startedAt ??= now;
    return this.totalMs - (now - this.startedAt);
  }

  /** Leaves out the time from now until the returned function is called. */
  hold(): () => void {
    const heldAt = performance.now();
    return () => {
      if (this.startedAt !== undefined) this.startedAt += performance.now() - heldAt;
    };
  }
}

export function hasTimeFor({ total }: PartContext, waitMs: number): boolean {
  return total === undefined || total.leftMs() > waitMs;
}

/** The longest delay of a Node timer. */
export const LONGEST_TIMER_MS: number = 2 ** 31 - 1;

/**
 * Flushes the writer and waits for the time, if there is one, for `wake`, with which `onWait` is called at once, or for the signal. Leaves no timer and no
 * listener behind.
 */
export function waitFor(
  { writer, signal }: Pick<PartContext, "writer" | "signal">,
  ms: number | undefined,
  onWait?: (wake: () => void) => void,
): Promise<"time" | "woken" | "cancelled"> {
  writer.flush();
  return new Promise((resolve) => {
    const timer = ms === undefined ? undefined : setTimeout(() => settle("time"), Math.min(ms, LONGEST_TIMER_MS));
    const cancel = (): void => settle("cancelled");
    const settle = (end: "time" | "woken" | "cancelled"): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", cancel);
      resolve(end);
    };
    signal.addEventListener("abort", cancel);
    if (signal.aborted) cancel();
    else onWait?.(() => settle("woken"));
  });
}
