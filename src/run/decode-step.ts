import type { EventDraft } from "../spec/events.ts";
import type { Failure } from "../spec/failure.ts";
import type { TurnEnd, WireStep } from "../spec/wire.ts";
import type { EventLog } from "./event-log.ts";

/**
 * Adds the events of a step to the log; returns the declared turn end, or the failure of an event that breaks the request. `sawTool`
 * is called when a tool begins to run and when it has ended: its processes may be alive then.
 */
export function decodeStep(
  step: WireStep,
  log: Pick<EventLog, "add">,
  findFailure?: (event: EventDraft) => Failure | undefined,
  sawTool?: () => void,
): TurnEnd | Failure | undefined {
  for (const event of step.events) {
    const failure = findFailure?.(event);
    log.add(event);
    if (event.type === "tool-call" || event.type === "tool-end") sawTool?.();
    if (failure !== undefined) return failure;
  }
  return step.turnEnd;
}
