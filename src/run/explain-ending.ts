import type { ClockTimes, ExpiredClock } from "../process/clocks.ts";
import type { Failure } from "../spec/failure.ts";
import type { Provider } from "../spec/provider.ts";
import type { PromptRequest } from "../spec/request.ts";
import { classifyEnding, type Ending } from "./classify.ts";
import { failureOfClock, failureOfCut } from "./conclude.ts";
import { DEFAULT_TIMEOUTS } from "./defaults.ts";
import type { RunHost } from "./run-host.ts";
import type { TotalTime } from "./total-time.ts";

/** The turn that ended. */
type Ended = {
  readonly host: Pick<RunHost, "explainUnknownOption">;
  readonly provider: Provider;
  readonly request: PromptRequest;
  readonly context: { readonly total?: TotalTime };
};

/** The failure of a process that ended without a turn end; a promise if the program must be asked about a rejected flag. */
export function explainEnding(
  { provider, host }: Ended,
  ending: Ending & { readonly isCut?: boolean },
): Failure | Promise<Failure> {
  if (ending.isCut === true) return failureOfCut(provider, ending);
  const failure = classifyEnding(provider, ending);
  return failure.code === "unknown-option" ? host.explainUnknownOption(failure, provider).catch(() => failure) : failure;
}

/** The failure of a timeout. It names the run's total timeout, although its clock had only the time that earlier attempts left. */
export function explainExpiry({ provider, request }: Ended, { code, afterMs }: ExpiredClock, ending: Ending): Failure {
  const ms = code === "total-timeout" ? (request.timeouts?.totalMs ?? afterMs) : afterMs;
  return failureOfClock(provider, code === "background" ? "idle-timeout" : code, ms, ending);
}

/** The timeouts of a turn. A total time that the request does not set leaves out the time of host tools, as between attempts by text. */
export function timeoutsOf({ provider, request, context: { total } }: Ended): ClockTimes {
  const timeouts = { ...DEFAULT_TIMEOUTS[request.mode ?? "completion"], ...provider.timeouts, ...request.timeouts };
  if (total === undefined) return { ...timeouts, isTotalStoppable: true };
  return { ...timeouts, totalMs: Math.max(1, Math.round(total.leftMs())) };
}
