import { classifyEnding, type Ending } from "../failures/classify.ts";
import type { ClockTimes, ExpiredClock } from "../process/channel/clocks.ts";
import type { DroppedLine } from "../process/channel/native-reader.ts";
import { DEFAULT_TIMEOUTS } from "../request/defaults.ts";
import type { PartTrace } from "../run/part-trace.ts";
import type { RunHost } from "../run/run-host.ts";
import type { TotalTime } from "../run/total-time.ts";
import type { Failure } from "../spec/failure/failure.ts";
import type { Provider } from "../spec/provider/provider.ts";
import type { PromptRequest } from "../spec/request.ts";
import { failureOfClock, failureOfCut } from "./conclude.ts";
import { failureOfDropped } from "./dropped-line.ts";

/** The turn that ended. */
type Ended = {
  readonly host: Pick<RunHost, "explainUnknownOption">;
  readonly provider: Provider;
  readonly request: PromptRequest;
  readonly context: { readonly total?: TotalTime; readonly writer: { readonly trace: PartTrace } };
};

/** The failure of a process that ended without a turn end; a promise if the program must be asked about a rejected flag. */
export function explainEnding(
  { provider, host }: Ended,
  ending: Ending & { readonly isCut?: boolean; readonly missedLine?: DroppedLine | undefined },
): Failure | Promise<Failure> {
  if (ending.isCut === true) return failureOfCut(provider, ending);
  const failure = classifyEnding(provider, ending);
  const { missedLine } = ending;
  if (failure.code === "no-terminal-event" && missedLine !== undefined) return failureOfDropped(provider.label, missedLine);
  return failure.code === "unknown-option" ? host.explainUnknownOption(failure, provider).catch(() => failure) : failure;
}

/** The failure of a timeout. It names the run's total timeout, although its clock had only the time that earlier attempts left. */
export function explainExpiry(ended: Ended, { code, afterMs }: ExpiredClock, ending: Ending, partialText: string): Failure {
  const { provider, request, context } = ended;
  const ms = code === "total-timeout" ? (request.timeouts?.totalMs ?? afterMs) : afterMs;
  const failure = failureOfClock(provider, code === "background" ? "idle-timeout" : code, ms, ending);
  return partialText === "" && isUntouched(context.writer.trace) ? withServers(failure, request) : failure;
}

/** True if the model has not answered yet, as far as the events show. */
function isUntouched({ hasShown, hasActed, upstreamRetries }: PartTrace): boolean {
  return !hasShown && !hasActed && upstreamRetries === 0;
}

/** CLIs ask the model after their MCP servers have answered. Claude Code, Qwen Code and OpenCode print nothing before, Copilot a few lines. */
function withServers(failure: Failure, { mcpServers = {}, hostServer }: PromptRequest): Failure {
  const names = Object.keys(mcpServers).filter((name) => name !== hostServer);
  if (names.length === 0) return failure;
  const servers = `the MCP server${names.length > 1 ? "s" : ""} ${names.join(", ")}`;
  const hint = `Check that ${servers} can be started and answer${names.length > 1 ? "" : "s"}, or raise timeouts.${CLOCKS[failure.code] ?? "totalMs"}.`;
  return { ...failure, message: `${failure.message} It may be waiting for ${servers}.`, hint };
}

const CLOCKS: Readonly<Record<string, string>> = { "first-event-timeout": "firstEventMs", "idle-timeout": "idleMs" };

/** The timeouts of a turn. A total time that the request does not set leaves out the time of host tools, as between attempts by text. */
export function timeoutsOf({ provider, request, context: { total } }: Ended): ClockTimes {
  const timeouts = { ...DEFAULT_TIMEOUTS[request.mode ?? "completion"], ...provider.timeouts, ...request.timeouts };
  if (total === undefined) return { ...timeouts, isTotalStoppable: true };
  return { ...timeouts, totalMs: Math.max(1, Math.round(total.leftMs())) };
}
