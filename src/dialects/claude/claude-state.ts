import type { JsonObject, JsonValue } from "../../spec/json.ts";
import type { TurnContext } from "../../spec/wire/define-wire.ts";
import type { EventDraft } from "../../spec/wire/events.ts";
import type { RunningTotals } from "../../spec/wire/running-totals.ts";
import type { TurnEnd } from "../../spec/wire/wire.ts";
import { MessageLane } from "../kit/message-lane.ts";
import type { TokenCounts } from "./claude-counts.ts";
import { ClaudeHostTools } from "./claude-host-tools.ts";
import { BackgroundTasks } from "./claude-tasks.ts";

/** The call that a permission request is about. */
export type AskedCall = { readonly id: string | undefined; readonly name: string; readonly input: JsonValue };

/** The state of a run that is read from Claude's lines. */
export type ClaudeState = {
  readonly context: TurnContext;
  readonly blockCounts: Map<string, number>;
  readonly main: MessageLane;
  /** The sub-agents, by the tool call that started each. */
  readonly lanes: Map<string, MessageLane>;
  /** The progress of each call. */
  readonly calls: Map<string, "announced" | "complete" | "over" | "void">;
  /** The message of each call; a backend may use an id again in a later message. */
  readonly callMessages: Map<string, string>;
  /** The call whose input is being streamed, by lane and block index. */
  readonly inputs: Map<string, { readonly id: string; readonly name: string; readonly pieces: string[] }>;
  readonly tasks: BackgroundTasks;
  readonly hostTools: ClaudeHostTools;
  readonly denied: Set<string>;
  /** The calls of permission requests, by request id. */
  readonly questions: Map<string, AskedCall>;
  /** Whether `session-start` was reported. */
  sessionSeen: boolean;
  /** The CLI's name of an error, from its synthetic assistant message. */
  errorWord: string | undefined;
  /** The results and counts of the `result` lines of the run; background work can cause several turns. */
  declared: TurnEnd | undefined;
  counted: TokenCounts | undefined;
  /** The counts at the beginning of the main agent's message, those of its complete messages, and those that a parked turn reported. */
  messageUsage: JsonObject;
  /** True while a message of the main agent is streamed; more calls may follow in it. */
  isStreaming: boolean;
  seen: TokenCounts | undefined;
  parked: TokenCounts | undefined;
  /** The totals before the run, once a `result` line has shown which they are; undefined inside if they are unknown. */
  began: { readonly before: RunningTotals | undefined } | undefined;
  /** Whether the last declared turn waits for background work or another turn. */
  isWaiting: boolean;
};

/** The state at the beginning of a run. */
export function startState(context: TurnContext): ClaudeState {
  const blockCounts = new Map<string, number>();
  return {
    context,
    blockCounts,
    main: new MessageLane(blockCounts),
    lanes: new Map(),
    calls: new Map(),
    callMessages: new Map(),
    inputs: new Map(),
    tasks: new BackgroundTasks(),
    hostTools: new ClaudeHostTools(context.nativeTools ?? [], context.permissionMode !== "plan"),
    denied: new Set(),
    questions: new Map(),
    sessionSeen: false,
    errorWord: undefined,
    declared: undefined,
    counted: undefined,
    messageUsage: {},
    isStreaming: false,
    seen: undefined,
    parked: undefined,
    began: undefined,
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
export function announceCall(state: ClaudeState, lane: MessageLane, id: string, name: string, into: EventDraft[]): void {
  const isAgain = state.calls.get(id) === "over" && state.callMessages.get(id) !== lane.message;
  if (state.calls.has(id) && !isAgain) return;
  state.calls.set(id, "announced");
  state.callMessages.set(id, lane.message);
  into.push(lane.mark({ type: "tool-start", id, name }));
}

/** Completes the input of a call. */
export function completeCall(
  state: ClaudeState,
  lane: MessageLane,
  call: { readonly id: string; readonly name: string; readonly input: JsonValue },
  into: EventDraft[],
): void {
  state.calls.set(call.id, "complete");
  lane.completeCall(call.id);
  const executor = state.hostTools.has(call.name) ? "host" : "cli";
  if (executor === "host") state.hostTools.begin(call.id);
  into.push(lane.mark({ type: "tool-call", ...call, executor }));
}
