import type { PermissionMode } from "../../spec/request.ts";

/** Whether an agent may ask its host about a call. `plan` and `dont-ask` deny without a question, and only a single run reports that. */
export function asksHost(mode: PermissionMode | undefined): boolean {
  return mode !== "plan" && mode !== "dont-ask";
}
