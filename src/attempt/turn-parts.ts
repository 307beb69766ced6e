import type { ParkedTurn, ParkReason, TurnHandle } from "../process/channel/channel.ts";
import type { PartContext } from "../run/part.ts";
import type { RunHost } from "../run/run-host.ts";
import type { Provider } from "../spec/provider/provider.ts";
import type { PromptRequest } from "../spec/request.ts";
import type { RunEnd } from "../spec/wire/events.ts";
import type { SessionTotals } from "../spec/wire/running-totals.ts";
import type { TurnBaseline } from "../spec/wire/wire.ts";
import type { LeftTurn } from "../warm/parked-turns.ts";
import type { EventLog } from "./event-log.ts";

/** Takes a turn that is left without a run, with the calls that it waits for and the last text of its answer. */
type TakeParked = (turn: ParkedTurn, about: Pick<LeftTurn, "calls" | "text">) => void;

/** The host, provider, request and context of one turn. */
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

/** Notes what the CLI has counted for the session of a turn that has ended. */
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

/** Notes that a function of the caller runs: the call may have an effect. */
export function noteRun({ context }: TurnParts, log: EventLog, callId: string): void {
  context.writer.trace.hasActed = true;
  log.noteRun(callId);
}
