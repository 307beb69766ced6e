import type { Failure } from "./failure/failure.ts";
import { defined, type JsonValue } from "./json.ts";
import type { HostCall, InvalidCall } from "./message.ts";
import type { Finish, Notice, PermissionDenied, RunEvent, Warning } from "./wire/events.ts";
import type { Usage } from "./wire/usage.ts";

/** One tool call of a run, in its final state. */
export type ToolCallRecord = {
  readonly id: string;
  readonly name: string;
  readonly input: JsonValue;
  readonly output: JsonValue;
  readonly isError: boolean;
  /** Without the time that the call waited for a permission. */
  readonly durationMs: number;
  /** How long the call waited until the host answered whether it may run; absent if the host was not asked. */
  readonly permissionWaitMs?: number;
  /** True when the run ended before its result was seen. */
  readonly synthetic?: boolean;
  /** The parent tool call, if a sub-agent made this one. */
  readonly parentToolId?: string;
};

export type PermissionDenial = Omit<PermissionDenied, "type">;

/** A setting that could not be applied, or a warning of the CLI; never a reason to fail. */
export type RunWarning = Notice;

/** One attempt of a run with several, or a target that was skipped; all except a successful one have a failure. */
export type AttemptRecord = { readonly provider: string; readonly model?: string; readonly failure?: Failure };

/** The result of a run, collected from its events. */
export type RunResult<Output = JsonValue> = {
  /** The final answer as the CLI reported it; empty when it reported none. */
  readonly text: string;
  /** The structured answer, if the request had a schema: JSON, or what the Standard Schema of the request made of it. */
  readonly object?: Output;
  /** Tool calls that the CLI made itself. */
  readonly toolCalls: readonly ToolCallRecord[];
  /** Tool calls that the caller must make, if the request had tools. */
  readonly hostCalls?: readonly HostCall[];
  /** Tool calls that must not be made, if the request has `invalidCalls: "return"`. */
  readonly invalidCalls?: readonly InvalidCall[];
  readonly permissionDenials: readonly PermissionDenial[];
  readonly usage?: Usage;
  readonly costUsd?: number;
  /** Present if `costUsd` is the cost of the whole session, because what it was before this run is unknown. */
  readonly costScope?: "thread";
  /** The CLI's own id of the session, if the CLI has stored the session. */
  readonly sessionId?: string;
  /** The provider that answered, or that failed last; absent only if the run had no target. */
  readonly provider?: string;
  /** The model that the CLI reported, else the one that it was asked for; absent if neither is known. */
  readonly model?: string;
  readonly finish: Finish;
  readonly failure?: Failure;
  /** The attempts in order, if there was more than one. */
  readonly attempts?: readonly AttemptRecord[];
  readonly warnings: readonly RunWarning[];
  /** All events, if `keepEvents` was set. */
  readonly events?: readonly RunEvent[];
};

export function toRunWarning({ code, message, server, setting }: Warning): RunWarning {
  return defined({ code, message, server, setting });
}
