import type { PermissionAnswer, RunContext } from "../../src/index.ts";
import { pick, type Random } from "../soak/model/random.ts";

type Answer = () => unknown;

const circle: Record<string, unknown> = { behavior: "allow" };
circle["updatedInput"] = circle;

const ANSWERS: readonly [Answer, ...Answer[]] = [
  () => ({ behavior: "allow" }),
  () => ({ behavior: "deny", message: "No." }),
  () => ({ behavior: "allow", updatedInput: 10n }),
  () => ({ behavior: "deny", message: () => "No." }),
  () => ({ behavior: "perhaps" }),
  () => circle,
  () => undefined,
  () => null,
  () => "allow",
  () => Promise.reject(new Error("The host does not know.")),
  () => Promise.reject(undefined),
  () => new Promise(() => {}),
  () => {
    throw new Error("The host fails.");
  },
];

/** Answers permission requests as no host should: without JSON, without an answer, with an error. */
export function answerOddly(random: Random): NonNullable<RunContext["onPermission"]> {
  return () => pick(random, ANSWERS)() as PermissionAnswer;
}
