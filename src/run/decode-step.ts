import type { EventDraft } from "../spec/events.ts";
import type { Failure } from "../spec/failure.ts";
import type { TurnEnd, WireStep } from "../spec/wire.ts";
import type { EventLog } from "./event-log.ts";

/** Adds the events of a step to the log; returns the declared turn end, or the failure of an event that breaks the request. */
export function decodeStep(
  step: WireStep,
  log: Pick<EventLog, "add">,
  findFailure?: (event: EventDraft) => Failure | undefined,
): TurnEnd | Failure | undefined {
  for (const event of step.events) {
    const failure = findFailure?.(event);
    log.add(event);
    if (failure !== undefined) return failure;
  }
  return step.turnEnd;
}

/** True if a tool begins to run or has ended in this step, so that its processes may be alive now. */
export function concernsTool({ events }: WireStep): boolean {
  return events.some(({ type }) => type === "tool-call" || type === "tool-end");
}
