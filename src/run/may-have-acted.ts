import type { Failure } from "../spec/failure/failure.ts";
import type { FailureCategory } from "../spec/failure/failure-codes.ts";
import type { Provider } from "../spec/provider/provider.ts";
import type { RunRequest } from "../spec/request.ts";

/** True when tools may have run in a failed attempt without an event about them, so that the attempt must not be repeated. */
export function mayHaveActed(provider: Provider, { mode }: RunRequest, failure: Failure): boolean {
  if (failure.code === "start-failed" || reportsTools(provider)) return false;
  if (mode === "agent") return true;
  return provider.traits.ownTools !== "off" && !BEFORE_ANY_WORK.has(failure.category);
}

/** The text and json formats contain only the answer. */
function reportsTools({ transports }: Provider): boolean {
  return transports.spawn.wire.framing === "stream-json";
}

/** In these categories the service refused the first request, so the model called no tool. */
const BEFORE_ANY_WORK: ReadonlySet<FailureCategory> = new Set([
  "quota",
  "rate_limit",
  "authentication",
  "validation",
  "not_found",
  "configuration",
]);
