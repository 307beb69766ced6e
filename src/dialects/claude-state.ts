import type { TurnContext } from "../spec/define-wire.ts";
import type { EventDraft } from "../spec/events.ts";
import type { JsonObject, JsonValue } from "../spec/json.ts";
import type { TurnEnd } from "../spec/wire.ts";
import type { TokenCounts } from "./claude-counts.ts";
import { BackgroundTasks } from "./claude-tasks.ts";
import { MessageLane } from "./message-lane.ts";

/** What is known of a run that Claude's lines are read for. */
export type ClaudeState = {
  readonly context: TurnContext;
  readonly blocksSaid: Map<string, number>;
  readonly main: MessageLane;
  /** The sub-agents, by the call that began each. */
  readonly lanes: Map<string, MessageLane>;
  /** How far each call has come. */
  readonly calls: Map<string, "announced" | "complete" | "over">;
  /** The call whose input is being streamed, by lane and block index. */
  readonly inputs: Map<string, { readonly id: string; readonly name: string; readonly pieces: string[] }>;
  readonly tasks: BackgroundTasks;
  readonly denied: Set<string>;
  /** The inputs that permissions were asked for, by request id. */
  readonly questions: Map<string, JsonValue>;
  /** Whether the session was named. */
  sessionSeen: boolean;
  /** The CLI's word for an error, from its synthetic assistant message. */
  errorWord: string | undefined;
  /** What the `result` lines of the run have declared and counted; several where work in the background causes turns. */
  declared: TurnEnd | undefined;
  counted: TokenCounts | undefined;
  results: number;
  /** Whether the last declared turn waits for work or for another turn. */
  isWaiting: boolean;
};

/** The state at the beginning of a run. */
export function startState(context: TurnContext): ClaudeState {
  const blocksSaid = new Map<string, number>();
  return {
    context,
    blocksSaid,
    main: new MessageLane(blocksSaid),
    lanes: new Map(),
    calls: new Map(),
    inputs: new Map(),
    tasks: new BackgroundTasks(),
    denied: new Set(),
    questions: new Map(),
    sessionSeen: false,
    errorWord: undefined,
    declared: undefined,
    counted: undefined,
    results: 0,
    isWaiting: false,
  };
}

/** The speaker of a line: the main one, or the sub-agent whose call the line names. */
export function laneOf(state: ClaudeState, line: JsonObject): MessageLane {
  const parent = line["parent_tool_use_id"];
  if (typeof parent !== "string" || parent === "") return state.main;
  const known = state.lanes.get(parent);
  if (known !== undefined) return known;
  const lane = new MessageLane(state.blocksSaid, parent);
  state.lanes.set(parent, lane);
  return lane;
}

/** A call begins, unless it is known. */
export function announceCall(state: ClaudeState, lane: MessageLane, id: string, name: string, into: EventDraft[]): void {
  if (state.calls.has(id)) return;
  state.calls.set(id, "announced");
  into.push(lane.mark({ type: "tool-start", id, name }));
}

/** All of a call was said. */
export function completeCall(
  state: ClaudeState,
  lane: MessageLane,
  call: { readonly id: string; readonly name: string; readonly input: JsonValue },
  into: EventDraft[],
): void {
  state.calls.set(call.id, "complete");
  lane.completeCall(call.id);
  into.push(lane.mark({ type: "tool-call", ...call, executor: "cli" }));
}
