import { isAboutSystemPrompt } from "../../request/check-support.ts";
import type { Failure } from "../../spec/failure/failure.ts";
import type { Settings } from "../settings.ts";

/** The failure; if a CLI refused a system prompt that no option gave, its message names where the system prompt comes from. */
export function nameSource(failure: Failure, { system }: Settings): Failure {
  if (system === undefined || system.from.kind === "option" || !isAboutSystemPrompt(failure)) return failure;
  return {
    ...failure,
    message: failure.message.replace(/\.$/, () => ` (${system.from.label}).`),
    hint: 'Use -s "" for no system prompt, or another provider.',
  };
}
