import type { Failure } from "../spec/failure.ts";
import type { RunRequest } from "../spec/request.ts";

/** The request with what is left of its total time; undefined when nothing is left. A request without one is given back as it is. */
export function withTimeLeft(request: RunRequest, elapsedMs: number): RunRequest | undefined {
  const totalMs = request.timeouts?.totalMs;
  if (totalMs === undefined || !Number.isFinite(totalMs)) return request;
  const left = Math.round(totalMs - elapsedMs);
  return left > 0 ? { ...request, timeouts: { ...request.timeouts, totalMs: left } } : undefined;
}

/** True when a wait would be over before the total time of the request. */
export function hasTimeFor({ timeouts }: RunRequest, elapsedMs: number, waitMs: number): boolean {
  return timeouts?.totalMs === undefined || elapsedMs + waitMs < timeouts.totalMs;
}

/** True when the total time of the request is what ended it: nothing can follow. */
export function isOutOfTime({ timeouts }: RunRequest, { code }: Failure): boolean {
  return code === "total-timeout" && timeouts?.totalMs !== undefined;
}
