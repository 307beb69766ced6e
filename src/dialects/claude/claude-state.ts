import { type JsonObject, type JsonValue, listOf, objectOf, stringOf } from "../../spec/json.ts";
import type { TurnContext, TurnInput } from "../../spec/wire/define-wire.ts";
import type { EventDraft } from "../../spec/wire/events.ts";
import type { TurnEnd } from "../../spec/wire/wire.ts";
import { MessageLane } from "../kit/message-lane.ts";
import { ClaudeHostTools } from "./claude-host-tools.ts";
import { ClaudeUsage, type TurnReport } from "./claude-usage.ts";

/** The result of a call as a `tool_result` block has it. */
export type ClaudeToolResult = {
  readonly output: JsonValue;
  readonly isError: boolean;
  readonly details?: JsonValue | undefined;
  readonly isDenied?: boolean;
};

/** What differs between CLIs that print Claude Code's lines; docs/dialects/claude.md has the rules that they share. */
export type ClaudeDifferences = {
  readonly input?: TurnInput;
  readonly nextInput?: TurnInput;
  /** True if the CLI computes costs with the prices of another vendor. */
  readonly hasForeignCost?: true;
  /** True if host tools reach the CLI on another way than its control lines. */
  readonly hasBridge?: true;
  /** A `system` line with what this CLI says in another way. */
  readonly system?: (line: JsonObject) => JsonObject;
  readonly toolResult?: (block: JsonObject) => ClaudeToolResult;
  /** What the line that ends a turn says about usage, in place of Claude Code's counts. */
  readonly report?: (line: JsonObject) => TurnReport;
  /** The end of a turn that has failed. */
  readonly failedEnd?: (turnEnd: TurnEnd, line: JsonObject) => TurnEnd;
};

/** A call; a backend may use its id again in a later message. */
type ClaudeCall = {
  readonly name: string;
  readonly message: string;
  input: JsonValue;
  state: "announced" | "complete" | "over" | "void";
};

type AskedCall = { readonly id: string | undefined; readonly name: string; readonly input: JsonValue };

export type ClaudeState = {
  readonly context: TurnContext;
  readonly differences: ClaudeDifferences;
  readonly blockCounts: Map<string, number>;
  readonly main: MessageLane;
  /** The sub-agents, by the tool call that started each. */
  readonly lanes: Map<string, MessageLane>;
  readonly calls: Map<string, ClaudeCall>;
  /** The call whose input is being streamed, by lane and block index. */
  readonly inputs: Map<string, { readonly id: string; readonly name: string; readonly pieces: string[] }>;
  readonly tasks: BackgroundTasks;
  readonly usage: ClaudeUsage;
  /** Present if the host has tools. */
  readonly hostTools: ClaudeHostTools | undefined;
  readonly denied: Set<string>;
  /** The calls of permission requests, by request id. */
  readonly questions: Map<string, AskedCall>;
  /** Whether `session-start` was reported. */
  sessionSeen: boolean;
  /** The CLI's name of an error, from its synthetic assistant message. */
  errorWord: string | undefined;
  /** The result of the `result` lines of the run; background work can cause several turns. */
  declared: TurnEnd | undefined;
  /** True while a message of the main agent is streamed; more calls may follow in it. */
  isStreaming: boolean;
  /** Whether the last declared turn waits for background work or another turn. */
  isWaiting: boolean;
};

export function startState(context: TurnContext, differences: ClaudeDifferences = {}): ClaudeState {
  const blockCounts = new Map<string, number>();
  const { nativeTools = [], permissionMode } = context;
  const hasHostTools = nativeTools.length > 0 && differences.hasBridge !== true;
  return {
    context,
    differences,
    blockCounts,
    main: new MessageLane(blockCounts),
    lanes: new Map(),
    calls: new Map(),
    inputs: new Map(),
    tasks: new BackgroundTasks(),
    usage: new ClaudeUsage(context, differences.hasForeignCost !== true),
    hostTools: hasHostTools ? new ClaudeHostTools(nativeTools, permissionMode !== "plan") : undefined,
    denied: new Set(),
    questions: new Map(),
    sessionSeen: false,
    errorWord: undefined,
    declared: undefined,
    isStreaming: false,
    isWaiting: false,
  };
}

/** The lane of a line: the main agent's, or that of the sub-agent whose call the line names. */
export function laneOf(state: ClaudeState, line: JsonObject): MessageLane {
  const parent = line["parent_tool_use_id"];
  if (typeof parent !== "string" || parent === "") return state.main;
  const known = state.lanes.get(parent);
  if (known !== undefined) return known;
  const lane = new MessageLane(state.blockCounts, parent);
  state.lanes.set(parent, lane);
  return lane;
}

/** Begins a call, unless it has begun; the id of a call that is over may come again in another message. */
export function announceCall({ calls }: ClaudeState, lane: MessageLane, id: string, name: string, into: EventDraft[]): void {
  const known = calls.get(id);
  if (known !== undefined && (known.state !== "over" || known.message === lane.message)) return;
  calls.set(id, { name, message: lane.message, input: null, state: "announced" });
  into.push(lane.mark({ type: "tool-start", id, name }));
}

export function completeCall(
  { calls, hostTools }: ClaudeState,
  lane: MessageLane,
  call: { readonly id: string; readonly name: string; readonly input: JsonValue },
  into: EventDraft[],
): void {
  const known = calls.get(call.id);
  if (known !== undefined) Object.assign(known, { input: call.input, state: "complete" });
  lane.completeCall(call.id);
  const executor = hostTools?.has(call.name) === true ? "host" : "cli";
  if (executor === "host") hostTools?.begin(call.id);
  into.push(lane.mark({ type: "tool-call", ...call, executor }));
}

export function isAnnounced({ calls }: ClaudeState, id: string): boolean {
  return calls.get(id)?.state === "announced";
}

/** Later lines about a call that was reset are ignored. */
export function voidReset(state: ClaudeState, events: readonly EventDraft[]): readonly EventDraft[] {
  for (const event of events) if (event.type === "tool-reset") endCall(state, event.id, "void");
  return events;
}

export function endCall(state: ClaudeState, id: string, as: "over" | "void"): void {
  const call = state.calls.get(id);
  if (call !== undefined) call.state = as;
  state.hostTools?.end(id);
}

/**
 * `called`: its call has no result yet, and the CLI did not report whether the call waits (2.1.197). `unreported`: it has
 * ended, and the CLI has not reported it to the model yet.
 */
type TaskState = "called" | "running" | "unlisted" | "unreported" | "over";

type Task = { readonly line: JsonObject; state: TaskState };

/**
 * The background work of a run of Claude Code. The CLI reports a task that has ended to the model in its next request,
 * if that follows a tool result, otherwise in a separate turn, whose `result` names the task (measured with 2.1.325 and 2.1.197).
 */
class BackgroundTasks {
  private readonly tasks = new Map<string, Task>();

  /** Descriptions of the tasks that are still running, in the CLI's words. */
  get open(): readonly string[] {
    return this.inState("running").map(({ line }) => stringOf(line["description"]) ?? "a task");
  }

  /** Whether the CLI starts another turn by itself, to report a task that has ended to the model. */
  get isTurnDue(): boolean {
    return this.inState("unreported").length > 0;
  }

  /** Reads a `system` line about tasks. */
  read(line: JsonObject): void {
    const id = stringOf(line["task_id"]) ?? "";
    switch (line["subtype"]) {
      case "background_tasks_changed":
        return this.list(listOf(line["tasks"]).map((task) => objectOf(task) ?? {}));
      case "task_started":
        if (line["is_backgrounded"] !== false) this.begin(id, line, line["is_backgrounded"] === true ? "running" : "called");
        return;
      case "task_updated":
        if (objectOf(line["patch"])?.["end_time"] !== undefined) this.end(id);
        return;
      case "task_notification":
        return this.end(id);
    }
  }

  /** A call of the main agent has its result; the next request reports every task that has ended by now to the model. */
  sawToolResult(callId: string): void {
    for (const task of this.inState("unreported")) task.state = "over";
    for (const task of this.inState("called")) if (task.line["tool_use_id"] === callId) task.state = "running";
  }

  /** A turn has ended; if a task caused it, the model knows of that task. */
  sawResult({ origin }: JsonObject): void {
    const { kind, runId } = objectOf(origin) ?? {};
    if (kind !== "task-notification") return;
    const unreported = this.inState("unreported");
    const reported = unreported.find(({ line }) => line["run_id"] === runId) ?? unreported[0];
    if (reported !== undefined) reported.state = "over";
  }

  private list(lines: readonly JsonObject[]): void {
    const ids = new Set(lines.map((line) => stringOf(line["task_id"]) ?? ""));
    for (const line of lines) this.begin(stringOf(line["task_id"]) ?? "", line, "running");
    for (const [id, task] of this.tasks) if (task.state === "running" && !ids.has(id)) task.state = "unlisted";
  }

  /** Claude Code may later put a command into the background for which its call waited. */
  private begin(id: string, line: JsonObject, state: TaskState): void {
    const known = this.tasks.get(id);
    if (known === undefined) this.tasks.set(id, { line, state });
    else if (known.state === "called") known.state = state;
  }

  /** If a task ends before its call has a result, the call waited for it. */
  private end(id: string): void {
    const task = this.tasks.get(id);
    if (task?.state === "running" || task?.state === "unlisted") task.state = "unreported";
    else if (task?.state === "called") task.state = "over";
  }

  private inState(state: TaskState): Task[] {
    return [...this.tasks.values()].filter((task) => task.state === state);
  }
}
