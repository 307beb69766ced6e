import type { PromptRequest } from "../spec/request.ts";

/** Whether an agent may ask its host about a call. `plan` and `dont-ask` deny without a question, and only a single run reports that. */
export function asksHost({ permissions: { mode } = {} }: PromptRequest): boolean {
  return mode !== "plan" && mode !== "dont-ask";
}
