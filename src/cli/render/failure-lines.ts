import type { Failure } from "../../spec/failure.ts";
import type { Colors } from "./colors.ts";
import { toTerminalText } from "./terminal-text.ts";

/** Two lines for people: what happened, and what to do about it. */
export function failureLines(failure: Pick<Failure, "message" | "hint" | "fixCommand" | "resetAt">, colors: Colors): string {
  const reset = failure.resetAt === undefined ? "" : ` It resets at ${failure.resetAt}.`;
  const fix = failure.fixCommand === undefined ? "" : ` Run: ${colors.bold(failure.fixCommand)}`;
  return `${colors.red("✗")} ${toTerminalText(failure.message)}\n${colors.cyan("→")} ${toTerminalText(failure.hint)}${reset}${fix}\n`;
}
