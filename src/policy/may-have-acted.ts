import { findProvider } from "../run/runner.ts";
import type { Failure } from "../spec/failure.ts";
import type { FailureCategory } from "../spec/failure-codes.ts";
import type { Provider } from "../spec/provider.ts";
import type { RunRequest } from "../spec/request.ts";
import type { PassTrace } from "./pass-trace.ts";
import type { PolicyHost } from "./policy.ts";

/** True when tools may have run without a word about them, so that the run must not be made again. */
export function mayHaveActed(host: PolicyHost, { mode }: RunRequest, trace: PassTrace, failure: Failure | undefined): boolean {
  if (failure === undefined || failure.code === "start-failed") return false;
  return [...trace.providers].some((name) => {
    const provider = findProvider(host, name);
    if (provider === undefined || tellsOfTools(provider)) return false;
    if (mode === "agent") return true;
    return provider.capabilities.ownTools !== "off" && !BEFORE_ANY_WORK.has(failure.category);
  });
}

/** Text and a single JSON document hold the answer alone. */
function tellsOfTools({ transports }: Provider): boolean {
  return transports.spawn.wire.framing === "stream-json";
}

/** With these the service refused the first request, and no model was there to call a tool. */
const BEFORE_ANY_WORK: ReadonlySet<FailureCategory> = new Set([
  "quota",
  "rate_limit",
  "authentication",
  "validation",
  "not_found",
  "configuration",
]);
