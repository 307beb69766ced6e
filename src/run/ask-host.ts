import type { PermissionAnswer, PermissionQuestion, RunContext } from "../spec/stream.ts";

const UNDECIDED: PermissionAnswer = { behavior: "deny", message: "The host could not decide." };

/** The host's answer to a permission request; `deny` if the host throws or answers anything else than allow or deny. */
export async function askHost(
  question: PermissionQuestion,
  onPermission: NonNullable<RunContext["onPermission"]>,
): Promise<PermissionAnswer> {
  try {
    const answer: PermissionAnswer | undefined = await onPermission(question);
    return answer?.behavior === "allow" || answer?.behavior === "deny" ? answer : UNDECIDED;
  } catch {
    return UNDECIDED;
  }
}
