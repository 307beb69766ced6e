import type { ResolvedTargets } from "../request/targets.ts";
import { failedEnd } from "../run/failed-end.ts";
import type { Policy } from "../run/part.ts";
import type { Target } from "../spec/request.ts";

/** Lets the gate of a run decide about each of its attempts. It is inside of all other policies, so that a run has waited before it is asked. */
export const gate: Policy = (next) => async (targets, request, context) => {
  const asked = gatedTarget(targets);
  const refusal = context.gate?.enter(asked);
  // A retry would get the same answer.
  if (refusal !== undefined) return failedEnd({ ...refusal, shouldRetry: false });
  const end = await next(targets, request, context);
  context.gate?.leave(asked, end.failure);
  return end;
};

/** The target as a gate gets it: with the id of its provider, which the caller may have named by an alias. */
export function gatedTarget([{ target, id }]: ResolvedTargets): Target {
  return { ...target, provider: id };
}
