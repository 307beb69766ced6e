import type { Finish, RunEvent } from "./events.ts";
import type { Failure } from "./failure.ts";
import type { JsonValue } from "./json.ts";
import type { HostCall } from "./tool.ts";
import type { Usage } from "./usage.ts";

/** One tool call of a run, as it stood at the end. */
export type ToolCallRecord = {
  readonly id: string;
  readonly name: string;
  readonly input: JsonValue;
  readonly output: JsonValue;
  readonly isError: boolean;
  readonly durationMs: number;
  /** True when no result was seen and the call was closed because the run ended. */
  readonly synthetic?: boolean;
  /** The call of which this one is a part, when a sub-agent made it. */
  readonly parentToolId?: string;
};

/** A tool call that the CLI did not allow. */
export type PermissionDenial = { readonly id: string; readonly name: string; readonly input: JsonValue };

/** Something the run could not honour or the CLI wants known; never a reason to fail. */
export type RunWarning = { readonly code: string; readonly message: string };

/** One attempt of a run that took several, or a target that was passed over; all but a good one have a failure. */
export type AttemptRecord = { readonly provider: string; readonly model?: string; readonly failure?: Failure };

/** A run, folded. */
export type RunResult = {
  /** The final answer as the CLI itself declares it; empty when it declared none. */
  readonly text: string;
  /** The structured answer, when a schema was asked for. */
  readonly object?: JsonValue;
  /** Calls that the CLI made itself. */
  readonly toolCalls: readonly ToolCallRecord[];
  /** Calls that the caller is asked to make, when the request had tools. */
  readonly hostCalls?: readonly HostCall[];
  readonly permissionDenials: readonly PermissionDenial[];
  readonly usage?: Usage;
  readonly costUsd?: number;
  readonly sessionId?: string;
  readonly model?: string;
  readonly finish: Finish;
  readonly failure?: Failure;
  /** Who was asked, in order, when there was more than one attempt. */
  readonly attempts?: readonly AttemptRecord[];
  readonly warnings: readonly RunWarning[];
  /** Every event, when `keepEvents` was asked for. */
  readonly events?: readonly RunEvent[];
};
