import type { FailureCategory, FailureCode, FailureTraits } from "../../../src/spec/failure/failure-codes.ts";
import { FAILURE_CODES, FAILURE_TRAITS } from "../../../src/spec/failure/failure-codes.ts";
import type { End, Walk } from "./walk.ts";

/** An end that is a failure. */
export type FailedEnd = Extract<End, { readonly answer: false }>;

/** The category of a failure code. */
export function categoryOf(code: FailureCode): FailureCategory {
  return FAILURE_CODES[code].category;
}

/** The traits of a failure code, from the tables. */
export function traitsOf(code: FailureCode): FailureTraits {
  const { category, traits } = FAILURE_CODES[code];
  return { ...FAILURE_TRAITS[category], ...traits };
}

/** Whether another attempt may follow a failed one: no tool ran, no output was committed, and the run has not ended. */
export function mayBeFollowed(walk: Walk, end: FailedEnd): boolean {
  if (end.output === "tool") return false;
  if (end.output !== "nothing" && isCommittedWhenShown(walk)) return false;
  return categoryOf(end.failure.code) !== "cancelled" && !walk.isBudgetSpent;
}

/** Resets each message of an attempt that is repeated. */
export function resetMessages(walk: Walk, end: FailedEnd): void {
  if (end.output !== "text" && end.output !== "reasoning") return;
  for (let message = 0; message < end.messages; message += 1) walk.events.push({ type: "text-reset" });
}

function isCommittedWhenShown({ call }: Walk): boolean {
  if (call.commit !== undefined) return call.commit === "first-event";
  return call.reads === "events";
}
