import type { Failure } from "./failure.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import type { Usage } from "./usage.ts";

/** How a run ended. A run with a failure ends with `error`, `cancelled` or, when the output limit cut it, `length`. */
export type Finish = "stop" | "length" | "tool-calls" | "content-filter" | "cancelled" | "error";

/** First event of every run; `metadata` is what the request carried. */
export type RunStart = {
  readonly type: "run-start";
  readonly runId: string;
  readonly metadata?: Readonly<Record<string, JsonValue>>;
};
/** A target is about to be tried; `attempt` counts from 1. */
export type AttemptStart = {
  readonly type: "attempt-start";
  readonly provider: string;
  readonly model?: string;
  readonly transport: "spawn" | "resident";
  readonly warm: boolean;
  readonly attempt: number;
};
/** The CLI named its session; the other fields are what it said about itself. */
export type SessionStart = {
  readonly type: "session-start";
  readonly sessionId: string;
  readonly model?: string;
  readonly cwd?: string;
  readonly tools?: readonly string[];
  readonly cliVersion?: string;
  /** Where the CLI says its credentials come from. */
  readonly auth?: string;
};
/** A piece of an assistant message. */
export type TextDelta = { readonly type: "text-delta"; readonly messageId: string; readonly text: string };
/** That message is complete. */
export type TextEnd = { readonly type: "text-end"; readonly messageId: string };
/** What was streamed under this message id is void; the CLI says it again under another. */
export type TextReset = { readonly type: "text-reset"; readonly messageId: string };
/** A piece of the model's reasoning. */
export type ReasoningDelta = { readonly type: "reasoning-delta"; readonly messageId: string; readonly text: string };
/** The model began to call a tool; its input is not known yet. */
export type ToolStart = { readonly type: "tool-start"; readonly id: string; readonly name: string };
/** A piece of the JSON text of the input. */
export type ToolInputDelta = { readonly type: "tool-input-delta"; readonly id: string; readonly delta: string };
/** The call is complete; `executor` says who runs it. */
export type ToolCall = {
  readonly type: "tool-call";
  readonly id: string;
  readonly name: string;
  readonly input: JsonValue;
  readonly executor: "cli" | "host";
};
/** The call was abandoned before it was complete: it never ran, and no `tool-end` follows. */
export type ToolReset = { readonly type: "tool-reset"; readonly id: string };
/** A piece of what a running tool prints. */
export type ToolOutputDelta = { readonly type: "tool-output-delta"; readonly id: string; readonly delta: string };
/** The call is over; `synthetic` when no result was seen and the run ended first. */
export type ToolEnd = {
  readonly type: "tool-end";
  readonly id: string;
  readonly name: string;
  readonly input: JsonValue;
  readonly output: JsonValue;
  readonly isError: boolean;
  readonly durationMs: number;
  readonly synthetic?: boolean;
  /** What the CLI told about the result beyond what the model saw, such as stdout and stderr apart. */
  readonly details?: JsonValue;
};
/** The CLI changed a file. */
export type FileChange = { readonly type: "file-change"; readonly path: string; readonly kind: "add" | "update" | "delete" };
/** The CLI asks whether a tool may run. */
export type PermissionRequest = {
  readonly type: "permission-request";
  readonly requestId: string;
  readonly id?: string;
  readonly name: string;
  readonly input: JsonValue;
};
/** A tool call was not allowed. */
export type PermissionDenied = {
  readonly type: "permission-denied";
  readonly id: string;
  readonly name: string;
  readonly input: JsonValue;
};
/** The structured answer as far as it is known; the last one is whole. */
export type ObjectDelta = { readonly type: "object-delta"; readonly object: JsonValue };
/** Tokens and money, as reported by the CLI or estimated. */
export type UsageReport = { readonly type: "usage"; readonly usage: Usage; readonly costUsd?: number };
/** The state of a limit of the account. */
export type Quota = { readonly type: "quota"; readonly window: string; readonly resetAt?: string };
/** The run waits for a free place; it is told anew whenever the position, from 1, changes. */
export type QueueWait = { readonly type: "queue-wait"; readonly position: number };
/** The CLI itself tries its request again. */
export type UpstreamRetry = {
  readonly type: "upstream-retry";
  readonly attempt: number;
  readonly maxAttempts?: number;
  readonly delayMs?: number;
  readonly status?: number;
  readonly reason?: string;
};
/** Something could not be honoured, or the CLI wants something known. */
export type Warning = { readonly type: "warning"; readonly code: string; readonly message: string };
/** The attempt of that number failed and will be made again on the same target after the delay. */
export type Retry = { readonly type: "retry"; readonly attempt: number; readonly delayMs: number; readonly failure: Failure };
/** The target failed and the next one will be tried. */
export type Fallback = { readonly type: "fallback"; readonly from: string; readonly to: string; readonly failure: Failure };
/** Something the CLI printed that we do not understand: a line of text or a JSON value. */
export type Native = { readonly type: "native"; readonly text?: string; readonly value?: JsonObject };
/** Last event of every run. `answerId` names the message that is the final answer, always the last one said. */
export type RunEnd = {
  readonly type: "run-end";
  readonly finish: Finish;
  readonly answerId?: string;
  readonly failure?: Failure;
};

/** What happened, without when. */
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
  | Native
  | RunEnd;

/** What every event carries. */
export type EventStamp = {
  /** Counts from 0 within the run. */
  readonly seq: number;
  /** Milliseconds since the run began. */
  readonly atMs: number;
  /** The tool call to which the event belongs, when a sub-agent caused it. */
  readonly parentToolId?: string;
};

/** One event of a run. Exactly one `run-start` comes first and exactly one `run-end` last. */
export type RunEvent = EventBody & EventStamp;

/** A finished tool as a wire reports it; name, input and duration are known to the run. */
export type ToolEndDraft = Pick<ToolEnd, "type" | "id" | "output" | "isError"> & { readonly details?: JsonValue };

/** An event as a wire makes it, before the run numbers and times it. */
export type EventDraft = (Exclude<EventBody, ToolEnd | RunStart | AttemptStart | RunEnd> | ToolEndDraft) & {
  readonly parentToolId?: string;
};
