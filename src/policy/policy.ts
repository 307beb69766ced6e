import type { Part, PartContext } from "../run/part.ts";
import type { ResolvedTarget } from "../run/resolve-target.ts";
import type { Failure } from "../spec/failure.ts";
import type { RunRequest } from "../spec/request.ts";
import { mayHaveActed } from "./may-have-acted.ts";
import { type PauseEnd, pause } from "./pause.ts";

/** Wraps a part of a run; the result is a part again. */
export type Policy = (next: Part) => Part;

/** True when a failed part left nothing that keeps another from following it. */
export function mayRepeat(context: PartContext, { provider }: ResolvedTarget, request: RunRequest, failure: Failure): boolean {
  const { trace } = context.writer;
  if (trace.hasActed || context.signal.aborted) return false;
  if (trace.hasBegun && provider !== undefined && mayHaveActed(provider, request, failure)) return false;
  return !trace.hasShown || context.commit() === "end";
}

/** Resets the messages that the last attempt showed. */
export function takeBack({ writer }: PartContext): void {
  writer.tick();
  for (const messageId of writer.trace.said) writer.write({ type: "text-reset", messageId });
}

/** Shows what was written and waits: for a time, for `wake`, or for either; `cancelled` when the part is to stop. */
export function waitFor(
  { writer, signal }: PartContext,
  ms: number | undefined,
  onWait?: (wake: () => void) => void,
): Promise<PauseEnd> {
  writer.flush();
  return pause({ signals: [signal], ...(ms !== undefined && { ms }), ...(onWait !== undefined && { onWait }) });
}

/** True when the total time of the request is not over after that wait. */
export function hasTimeFor({ total }: PartContext, waitMs: number): boolean {
  return total === undefined || total.leftMs() > waitMs;
}
