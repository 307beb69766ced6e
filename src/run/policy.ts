import type { ResolvedTarget } from "../request/resolve-target.ts";
import type { Failure } from "../spec/failure/failure.ts";
import type { RunRequest } from "../spec/request.ts";
import { mayHaveActed } from "./may-have-acted.ts";
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

/** Resets the messages that the last attempt showed. */
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

/** True when more than `waitMs` is left of the total time of the request. */
export function hasTimeFor({ total }: PartContext, waitMs: number): boolean {
  return total === undefined || total.leftMs() > waitMs;
}
