import type { ResolvedTarget } from "../request/targets.ts";
import type { Failure } from "../spec/failure/failure.ts";
import type { FailureCategory } from "../spec/failure/failure-codes.ts";
import type { Provider } from "../spec/provider/provider.ts";
import type { RunRequest } from "../spec/request.ts";
import type { RunEnd } from "../spec/wire/events.ts";
import type { PartContext } from "./part.ts";
import { type PauseEnd, pause } from "./pause.ts";

/**
 * True when another attempt may follow the failed one: no tool may have run, and nothing that is committed was shown. Flushes the
 * writer first, so that the budget sees what the failed attempt spent and can stop the run.
 */
export function mayRepeat(context: PartContext, { provider }: ResolvedTarget, request: RunRequest, failure: Failure): boolean {
  context.writer.flush();
  const { trace } = context.writer;
  if (trace.hasActed || context.signal.aborted) return false;
  if (trace.hasBegun && provider !== undefined && mayHaveActed(provider, request, failure)) return false;
  return !trace.hasShown || context.commit() === "end";
}

export function resetMessages({ writer }: PartContext): void {
  writer.tick();
  for (const messageId of writer.trace.messageIds) writer.write({ type: "text-reset", messageId });
}

/** Flushes the writer and waits for the time or for `wake`; gives `cancelled` when the signal aborts. */
export function waitFor(
  { writer, signal }: PartContext,
  ms: number | undefined,
  onWait?: (wake: () => void) => void,
): Promise<PauseEnd> {
  writer.flush();
  return pause({ signal, ...(ms !== undefined && { ms }), ...(onWait !== undefined && { onWait }) });
}

export function hasTimeFor({ total }: PartContext, waitMs: number): boolean {
  return total === undefined || total.leftMs() > waitMs;
}

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

/**
 * Runs a part that a policy can stop as a cancelled run stops it. `watch` gets the function that stops the part, and returns the one
 * that ends the watching; that one is called when the part has ended.
 */
export async function runStoppable(
  context: PartContext,
  watch: (stop: () => void) => () => void,
  run: (context: PartContext) => Promise<RunEnd>,
): Promise<RunEnd> {
  const { signal } = context;
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop);
  const stopWatching = watch(stop);
  return await run({ ...context, signal: stopping.signal }).finally(() => {
    stopWatching();
    signal.removeEventListener("abort", stop);
  });
}
