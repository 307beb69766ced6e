import type { Failure } from "../failure/failure.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import type { Usage } from "./usage.ts";

/** How a run ended. A failed run ends with `error`, `cancelled` or, when the output limit cut it off, `length`. */
export type Finish = "stop" | "length" | "tool-calls" | "content-filter" | "cancelled" | "error";

/** The first event of every run; `provider` and `model` are those of the first target, `metadata` comes from the request. */
export type RunStart = {
  readonly type: "run-start";
  readonly runId: string;
  readonly provider?: string;
  readonly model?: string;
  readonly metadata?: Readonly<Record<string, JsonValue>>;
};
/** An attempt begins; `attempt` counts from 1. */
export type AttemptStart = {
  readonly type: "attempt-start";
  readonly provider: string;
  readonly model?: string;
  readonly transport: "spawn" | "resident";
  readonly warm: boolean;
  readonly attempt: number;
  /**
   * The failure of the attempt before this one, which this one repeats without a `retry` event: its warm process was lost or said too little,
   * another process had its session, or the CLI refused its schema.
   */
  readonly failureBefore?: Failure;
};
/** The CLI reported its session id; the other fields are what it reported about itself. */
export type SessionStart = {
  readonly type: "session-start";
  readonly sessionId: string;
  /** False if the CLI does not store the session, so that it cannot be resumed. */
  readonly isStored?: false;
  readonly model?: string;
  readonly cwd?: string;
  readonly tools?: readonly string[];
  readonly cliVersion?: string;
  /** The source of the credentials, as the CLI reported it. */
  readonly auth?: string;
};
/** A piece of an assistant message. */
export type TextDelta = { readonly type: "text-delta"; readonly messageId: string; readonly text: string };
export type TextEnd = { readonly type: "text-end"; readonly messageId: string };
/** The text streamed under this message id is void; it may come again under another id. */
export type TextReset = { readonly type: "text-reset"; readonly messageId: string };
export type ReasoningDelta = { readonly type: "reasoning-delta"; readonly messageId: string; readonly text: string };
/** Where a call of an agent of `coxswain/agent` belongs: the step, which counts from 1, and the model that made the call. */
export type StepStamp = { readonly step?: number; readonly model?: string };
/** The model began a tool call; its input is not known yet. */
export type ToolStart = StepStamp & { readonly type: "tool-start"; readonly id: string; readonly name: string };
/** A piece of the JSON text of a tool call's input. */
export type ToolInputDelta = { readonly type: "tool-input-delta"; readonly id: string; readonly delta: string };
/** The tool call is complete; `executor` names who runs it. */
export type ToolCall = StepStamp & {
  readonly type: "tool-call";
  readonly id: string;
  readonly name: string;
  readonly input: JsonValue;
  readonly executor: "cli" | "host";
};
/** The model called an unknown host tool or gave it wrong arguments, twice; the call must not be made. */
export type ToolCallInvalid = {
  readonly type: "tool-call-invalid";
  readonly id: string;
  readonly name: string;
  readonly input: JsonValue;
  readonly problem: string;
};
/** The tool call was abandoned before it was complete: it never ran, and no `tool-end` follows. */
export type ToolReset = { readonly type: "tool-reset"; readonly id: string };
export type ToolOutputDelta = { readonly type: "tool-output-delta"; readonly id: string; readonly delta: string };
/** The tool call has ended; `synthetic` when the run ended before its result was seen. */
export type ToolEnd = StepStamp & {
  readonly type: "tool-end";
  readonly id: string;
  readonly name: string;
  readonly input: JsonValue;
  readonly output: JsonValue;
  readonly isError: boolean;
  /** Without the time that the call waited for a permission. */
  readonly durationMs: number;
  /** How long the call waited until the host answered whether it may run; absent if the host was not asked. */
  readonly permissionWaitMs?: number;
  readonly synthetic?: boolean;
  /** What the CLI reported about the result in addition to what the model saw, such as separate stdout and stderr. */
  readonly details?: JsonValue;
};
export type FileChange = { readonly type: "file-change"; readonly path: string; readonly kind: "add" | "update" | "delete" };
/** The CLI asks whether a tool may run. */
export type PermissionRequest = {
  readonly type: "permission-request";
  readonly requestId: string;
  readonly id?: string;
  readonly name: string;
  readonly input: JsonValue;
  /** The CLI did not tell the input: `input` is its description of the call, or null if it gave none. */
  readonly isDescription?: true;
};
/** A tool call was denied. */
export type PermissionDenied = {
  readonly type: "permission-denied";
  readonly id: string;
  readonly name: string;
  readonly input: JsonValue;
  /** Why, if the host or the CLI said so. */
  readonly reason?: string;
};
/** The structured answer so far; it replaces the one before it. The last one is complete and valid. */
export type ObjectDelta = {
  readonly type: "object-delta";
  readonly object: JsonValue;
  /** True while the answer is being written: the value is not validated and may still be replaced by another. */
  readonly isPartial?: true;
};
/** Token counts and cost, as reported by the CLI or estimated. */
export type UsageReport = {
  readonly type: "usage";
  readonly usage: Usage;
  readonly costUsd?: number;
  /** Present if the CLI reported only the cost of the whole session, and what it was before this run is unknown. */
  readonly costScope?: "thread";
};
/** The state of a limit of the account. */
export type Quota = { readonly type: "quota"; readonly window: string; readonly resetAt?: string };
/** The run waits in the queue; the event is repeated when the position, which counts from 1, changes. */
export type QueueWait = { readonly type: "queue-wait"; readonly position: number };
/** The CLI itself repeats its request, within the same attempt. */
export type UpstreamRetry = {
  readonly type: "upstream-retry";
  readonly by: "cli";
  readonly attempt: number;
  readonly maxAttempts?: number;
  readonly delayMs?: number;
  readonly status?: number;
  readonly reason?: string;
};
/** A setting could not be applied, or the CLI printed a warning. */
export type Warning = {
  readonly type: "warning";
  readonly code: string;
  readonly message: string;
  /** The MCP server that the warning is about. */
  readonly server?: string;
  /** The field of the request that was left out, because the CLI does not support it. */
  readonly setting?: string;
};
export type Notice = Omit<Warning, "type">;
/** The attempt with this number failed, and Coxswain will repeat it on the same target after the delay. */
export type Retry = {
  readonly type: "retry";
  readonly by: "coxswain";
  readonly attempt: number;
  readonly delayMs: number;
  readonly failure: Failure;
};
/** `from` and `to` are provider ids; the models are absent where none was chosen. */
type Move = { readonly from: string; readonly fromModel?: string; readonly to: string; readonly toModel?: string };
/** The target failed, and the next one will be tried. */
export type Fallback = Move & { readonly type: "fallback"; readonly failure: Failure };
/** A session goes on with another provider, which gets the whole thread of so many messages before the new one. */
export type Handover = Move & { readonly type: "handover"; readonly messages: number };
/** Output of the CLI that the wire does not understand: a line of text or a JSON value. */
export type Native = { readonly type: "native"; readonly text?: string; readonly value?: JsonObject };
/** The last event of every run. `answerId` names the message that is the final answer; it is always the last message. */
export type RunEnd = {
  readonly type: "run-end";
  readonly finish: Finish;
  readonly answerId?: string;
  readonly failure?: Failure;
};

/** An event without its number and time. */
export type EventBody =
  | RunStart
  | AttemptStart
  | SessionStart
  | TextDelta
  | TextEnd
  | TextReset
  | ReasoningDelta
  | ToolStart
  | ToolInputDelta
  | ToolCall
  | ToolCallInvalid
  | ToolReset
  | ToolOutputDelta
  | ToolEnd
  | FileChange
  | PermissionRequest
  | PermissionDenied
  | ObjectDelta
  | UsageReport
  | Quota
  | QueueWait
  | UpstreamRetry
  | Warning
  | Retry
  | Fallback
  | Handover
  | Native
  | RunEnd;

/** The fields that every event has. */
export type EventStamp = {
  /** Counts from 0 within the run. */
  readonly seq: number;
  /** Milliseconds since the start of the run. */
  readonly atMs: number;
  /** The tool call to which the event belongs, if a sub-agent caused it. */
  readonly parentToolId?: string;
};

/** One event of a run. The first event is the only `run-start`, the last is the only `run-end`. */
export type RunEvent = EventBody & EventStamp;

/** A finished tool as a wire reports it; the run adds name, input and duration. */
export type ToolEndDraft = Pick<ToolEnd, "type" | "id" | "output" | "isError"> & {
  readonly details?: JsonValue;
  /** How long the tool ran, if that is known better than by the events. */
  readonly durationMs?: number;
};

/** A denial as a wire reports it; the run adds the input of the call, and the reason that the host gave. */
export type PermissionDeniedDraft = Omit<PermissionDenied, "input"> & { readonly input?: JsonValue };

/** The host changed the input of a call before it ran; the run puts it into the end of the call. */
export type InputChangeDraft = { readonly type: "input-change"; readonly id: string; readonly input: JsonValue };

/** A retry of the CLI as a wire reports it; the run adds whose it is. */
export type UpstreamRetryDraft = Omit<UpstreamRetry, "by">;

/** An event as a wire makes it, before the run numbers and times it. */
export type EventDraft = (
  | Exclude<EventBody, ToolEnd | PermissionDenied | RunStart | AttemptStart | UpstreamRetry | RunEnd>
  | ToolEndDraft
  | PermissionDeniedDraft
  | InputChangeDraft
  | UpstreamRetryDraft
) & {
  readonly parentToolId?: string;
};
