import { changedNames } from "../host-tools/native-names.ts";
import type { ParkedTurn, ParkReason, TurnHandle } from "../process/channel/channel.ts";
import type { PartContext } from "../run/part.ts";
import type { RunHost } from "../run/run-host.ts";
import type { Failure } from "../spec/failure/failure.ts";
import type { Provider } from "../spec/provider/provider.ts";
import type { PromptRequest } from "../spec/request.ts";
import type { EventDraft, RunEnd } from "../spec/wire/events.ts";
import type { SessionTotals } from "../spec/wire/usage.ts";
import type { TurnBaseline, TurnEnd, WireStep } from "../spec/wire/wire.ts";
import type { KeptTurn } from "../warm/kept-turns.ts";
import { markUntold } from "./ask-host.ts";
import { type CallersNames, withCallersNames } from "./callers-names.ts";
import type { EventLog } from "./event-log.ts";
import { type BreachContext, findBreach } from "./find-breach.ts";

/** Takes a turn that is left without a run, with the calls that it waits for and the last text of its answer. */
type TakeParked = (turn: ParkedTurn, about: Pick<KeptTurn, "calls" | "text">) => void;

export type TurnParts = {
  readonly host: RunHost;
  readonly provider: Provider;
  readonly request: PromptRequest;
  readonly context: PartContext;
  /** Takes the turn when it waits for results of host tools, or after its answer; absent if it is not parked then. */
  readonly park?: { readonly [Reason in ParkReason]?: TakeParked } | undefined;
  /** Makes the ids of this attempt differ from those of the run's other attempts. */
  readonly idPrefix: string;
};

/** Who takes a turn that has ended so; undefined if its conversation cannot be continued, as after an answer that was cut. */
export function takerOfAnswer({ park }: TurnParts, end: RunEnd, handle: TurnHandle | undefined): TakeParked | undefined {
  const isWhole = end.failure === undefined && end.finish === "stop" && end.answerId !== undefined;
  return isWhole && handle?.turn.goOn !== undefined ? park?.message : undefined;
}

/** What the CLI may have counted before the turn. A turn of a stored session has its record read before. */
export function baselineOf({ host: { totals }, provider, request, context }: TurnParts): TurnBaseline {
  if (context.isSessionTurn !== true) totals.learnStored(provider.id, request);
  return totals.before(provider.id, request);
}

export function noteTotals(
  { host, provider, request, context }: TurnParts,
  log: EventLog,
  totals: SessionTotals | undefined,
): void {
  const { sessionId: session } = log;
  host.totals.note(provider.id, request, { session, totals, usage: log.facts().usage });
  const isContinued = request.session !== undefined && "resume" in request.session;
  if (session !== undefined && isContinued && context.isSessionTurn !== true) host.totals.share(provider.id, session);
}

/** Counts the native values of the chunk that is being read, and how many of them only show that the CLI is alive. */
export class ChunkProgress {
  private values = 0;
  private heartbeats = 0;

  begin(): void {
    this.values = 0;
    this.heartbeats = 0;
  }

  sawValue(): void {
    this.values += 1;
  }

  sawHeartbeat(): void {
    this.heartbeats += 1;
  }

  /** True if the chunk had values, and all of them were for other turns. */
  isForOthers(hadValues: boolean): boolean {
    return this.values === 0 && hadValues;
  }

  /** True if the chunk had more for this turn than heartbeats; a part of a value counts. */
  isProgress(hadValues: boolean): boolean {
    return !this.isForOthers(hadValues) && (this.values === 0 || this.values > this.heartbeats);
  }
}

export type StepRules = {
  /** The failure of an event that breaks the request; it gets the CLI's names of tools. */
  readonly findFailure?: (event: EventDraft) => Failure | undefined;
  /** Called when a tool begins to run and when it has ended: its processes may be alive then. */
  readonly sawTool?: () => void;
  /** The callers' names of host tools by the names of the CLI, where they differ. */
  readonly names?: CallersNames["names"];
};

export function stepRulesOf(context: BreachContext, sawTool: () => void): Required<StepRules> {
  const names = changedNames(context.request.nativeTools ?? []);
  return { findFailure: (event) => findBreach(event, context), sawTool, names };
}

/** Adds the events of a step to the log; returns the declared turn end, or the failure of an event that breaks the request. */
export function decodeStep(
  step: WireStep,
  log: Pick<EventLog, "add">,
  { findFailure, sawTool, names = NO_NAMES }: StepRules = {},
): TurnEnd | Failure | undefined {
  for (const read of step.events) {
    const event = read.type === "permission-request" ? markUntold(read) : read;
    const failure = findFailure?.(event);
    log.add(names.size === 0 ? event : withCallersNames(event, { names }));
    if (event.type === "tool-call" || event.type === "tool-end") sawTool?.();
    if (failure !== undefined) return failure;
  }
  return step.turnEnd;
}

const NO_NAMES: ReadonlyMap<string, string> = new Map();
