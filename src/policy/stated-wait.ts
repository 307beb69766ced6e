import type { ResolvedTargets } from "../request/resolve-target.ts";
import { failedEnd } from "../run/ends.ts";
import type { PartContext } from "../run/part.ts";
import type { PartTrace } from "../run/part-trace.ts";
import { createFailure } from "../spec/failure/create-failure.ts";
import type { Failure } from "../spec/failure/failure.ts";
import type { FailureCode } from "../spec/failure/failure-codes.ts";
import type { RunEnd } from "../spec/wire/events.ts";
import { gatedTarget } from "./gate.ts";
import { runStoppable } from "./run-stoppable.ts";

/** The statuses with which a service states how long to wait. */
const WAITING: ReadonlyMap<number | undefined, FailureCode> = new Map([
  [429, "rate-limited"],
  [503, "overloaded"],
  [529, "overloaded"],
]);

/**
 * Runs a part, and stops it when its CLI reports that it will wait longer than `leftMs` for the service. The run then fails at
 * once, with that wait in `retryAfterMs`.
 */
export async function withinWait(
  leftMs: number,
  targets: ResolvedTargets,
  context: PartContext,
  run: (context: PartContext) => Promise<RunEnd>,
): Promise<RunEnd> {
  const { writer, signal } = context;
  let tooLong: Failure | undefined;
  const watch = (stop: () => void): (() => void) =>
    writer.onFlush(() => {
      tooLong ??= findLongWait(writer.trace, leftMs);
      if (tooLong !== undefined) stop();
    });
  const end = await runStoppable(context, watch, run);
  const isOurs = tooLong !== undefined && end.failure?.category === "cancelled" && !signal.aborted;
  if (!isOurs || tooLong === undefined) return end;
  // The gate has seen only that the attempt was stopped.
  context.gate?.leave(gatedTarget(targets), tooLong);
  return failedEnd(tooLong, end.failure?.partialText);
}

/** The earlier waits of the part count: what is left for the last one is the allowance without them. */
function findLongWait({ lastUpstreamRetry, upstreamWaitMs }: PartTrace, allowedMs: number): Failure | undefined {
  const { delayMs = 0, status } = lastUpstreamRetry ?? {};
  const leftMs = Math.max(0, Math.round(allowedMs - (upstreamWaitMs - delayMs)));
  const code = WAITING.get(status);
  if (code === undefined || delayMs <= leftMs) return undefined;
  const message = `The service asks for a wait of ${Math.round(delayMs)} ms (status ${status}), and ${leftMs} ms are left for waits.`;
  return createFailure(code, message, { retryAfterMs: Math.round(delayMs), evidence: { upstreamStatus: status ?? 0 } });
}
