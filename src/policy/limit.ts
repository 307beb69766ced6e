import { providerIdOf } from "../run/runner.ts";
import { createFailure } from "../spec/create-failure.ts";
import type { Failure } from "../spec/failure.ts";
import type { LimitOptions } from "../spec/policy.ts";
import type { RunRequest } from "../spec/request.ts";
import { Places, type Waiting } from "./places.ts";
import type { Policy, PolicyHost } from "./policy.ts";
import { type RelayedRun, relayRun } from "./relayed-run.ts";
import { withTimeLeft } from "./time-left.ts";

/** Bounds how many runs there are at once; the others wait in order, and past a bound they are refused. */
export function limit(host: PolicyHost, options: LimitOptions = {}): Policy {
  const places = new Places(options);
  return (next) => (targets, request, context) => {
    const provider = providerIdOf(host, targets[0]?.provider ?? "");
    const begin: typeof next = (...parts) => {
      const stream = next(...parts);
      void stream.outcome().then(() => places.release(provider));
      return stream;
    };
    if (places.take(provider)) return begin(targets, request, context);
    return relayRun(host, request, context, async (run) => {
      const end = await waitForPlace(places, provider, request, run);
      if (end === "cancelled") return run.endCancelled();
      if (typeof end === "object") return run.fail(end);
      const left = withTimeLeft(request, run.sequence.elapsedMs);
      if (left !== undefined) return run.end(await run.pass(begin(targets, left, run.context)));
      places.release(provider);
      run.fail(noTime(request));
    });
  };
}

async function waitForPlace(
  places: Places,
  provider: string,
  request: RunRequest,
  run: RelayedRun,
): Promise<"placed" | "cancelled" | Failure> {
  const [maxWaitMs, totalMs] = [boundOf(request.maxWaitMs), boundOf(request.timeouts?.totalMs)];
  const longestMs = Math.min(maxWaitMs, totalMs);
  let wake = (): void => {};
  let isPlaced = false;
  const waiting: Waiting = {
    provider,
    onPosition: (position) => run.show({ type: "queue-wait", position }),
    onPlace: () => {
      isPlaced = true;
      wake();
    },
  };
  const length = places.length;
  if (!places.join(waiting)) return queueFull(`The queue is full: ${length} runs are waiting, which is the limit.`);
  const end = await run.pause(Number.isFinite(longestMs) ? longestMs : undefined, (resume) => {
    wake = resume;
  });
  if (isPlaced && end !== "cancelled") return "placed";
  if (isPlaced) places.release(provider);
  else places.leave(waiting);
  if (end === "cancelled") return "cancelled";
  return longestMs === totalMs
    ? noTime(request)
    : queueFull(`The run waited ${maxWaitMs} ms in the queue; ${places.length} other runs are waiting.`);
}

/** A number that makes no sense is refused when the run begins. */
function boundOf(ms: number | undefined): number {
  return ms !== undefined && ms >= 0 ? ms : Number.POSITIVE_INFINITY;
}

function noTime({ timeouts }: RunRequest): Failure {
  return createFailure("total-timeout", `The run waited in the queue until its total timeout of ${timeouts?.totalMs} ms.`);
}

function queueFull(message: string): Failure {
  return createFailure("queue-full", message, { retryAfterMs: 1000 });
}
