import type { PermissionAnswer, RunContext } from "../../src/index.ts";

const circle: Record<string, unknown> = { behavior: "allow" };
circle["updatedInput"] = circle;

/** A way to answer a permission request; only the first two are what a host should give. */
export type OddAnswer =
  | ("allow" | "deny" | "big-integer" | "function" | "no-message" | "circle" | "perhaps" | "undefined" | "null" | "text")
  | ("rejects" | "rejects-with-nothing" | "never-answers" | "throws");

const ANSWERS: Readonly<Record<OddAnswer, () => unknown>> = {
  allow: () => ({ behavior: "allow" }),
  deny: () => ({ behavior: "deny", message: "No." }),
  "big-integer": () => ({ behavior: "allow", updatedInput: 10n }),
  function: () => ({ behavior: "deny", message: () => "No." }),
  "no-message": () => ({ behavior: "deny" }),
  circle: () => circle,
  perhaps: () => ({ behavior: "perhaps" }),
  undefined: () => undefined,
  null: () => null,
  text: () => "allow",
  rejects: () => Promise.reject(new Error("The host does not know.")),
  "rejects-with-nothing": () => Promise.reject(undefined),
  "never-answers": () => new Promise(() => {}),
  throws: () => {
    throw new Error("The host fails.");
  },
};

/** All ways to answer a permission request. */
export const ODD_ANSWERS: readonly OddAnswer[] = Object.keys(ANSWERS) as readonly OddAnswer[];

/** Answers each permission request in this way. */
export function answerBy(answer: OddAnswer): NonNullable<RunContext["onPermission"]> {
  return () => ANSWERS[answer]() as PermissionAnswer;
}
