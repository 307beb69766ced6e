import type { PartTrace } from "../run/part-trace.ts";
import type { Failure } from "../spec/failure/failure.ts";

/** How often the CLI of a failed attempt has repeated its request by itself: as it reported, or as is known about a silent CLI. */
export function ownRetries({ upstreamRetries, silentRetries }: PartTrace, { category, code }: Failure): number {
  const silent = code === "start-failed" ? 0 : (silentRetries[category] ?? 0);
  return Math.max(upstreamRetries, silent);
}
