import type { ParkReason, TakeUsage } from "../process/channel/channel.ts";
import type { KnownTarget, ResolvedTargets } from "../request/targets.ts";
import type { OutputValidator } from "../schemas/standard-schema.ts";
import type { Budget } from "../spec/client-options.ts";
import type { HostCall } from "../spec/message.ts";
import type { PromptRequest, RunRequest } from "../spec/request.ts";
import type { RunResult } from "../spec/result.ts";
import type { RunContext, ToolAnswer } from "../spec/stream.ts";
import type { RunEnd } from "../spec/wire/events.ts";
import type { KeptTurn, TurnBridge } from "../warm/kept-turns.ts";
import type { EventSink, RunWriter } from "./run-writer.ts";
import type { TotalTime } from "./total-time.ts";

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
export type Attempt = (cli: KnownTarget, request: PromptRequest, context: PartContext) => Promise<RunEnd>;

export type Policy = (next: Part) => Part;

/** What a session adds to a run: a part around the policies of the run, which gets a way to wrap each of its attempts. */
export type SessionPart = (within: (wrapAttempts: Policy) => Part) => Part;
