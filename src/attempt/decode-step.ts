import { changedNames } from "../host-tools/native-names.ts";
import type { Failure } from "../spec/failure/failure.ts";
import type { EventDraft } from "../spec/wire/events.ts";
import type { TurnEnd, WireStep } from "../spec/wire/wire.ts";
import { type CallersNames, withCallersNames } from "./callers-names.ts";
import type { EventLog } from "./event-log.ts";
import { type BreachContext, findBreach } from "./find-breach.ts";
import { markUntold } from "./mark-untold.ts";

/** What happens with each event of a step. */
export type StepRules = {
  /** The failure of an event that breaks the request; it gets the CLI's names of tools. */
  readonly findFailure?: (event: EventDraft) => Failure | undefined;
  /** Called when a tool begins to run and when it has ended: its processes may be alive then. */
  readonly sawTool?: () => void;
  /** The callers' names of host tools by the names of the CLI, where they differ. */
  readonly names?: CallersNames["names"];
};

/** The rules of a turn. */
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
