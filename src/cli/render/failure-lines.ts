import type { Failure } from "../../spec/failure.ts";
import type { Colors } from "./colors.ts";
import { toTerminalText } from "./terminal-text.ts";

/** What to do in the words of the command line, where the library would name a field. */
const HINTS: Readonly<Record<string, string>> = { "total-timeout": "Raise --timeout, or ask for less in one run." };

/** What is known of a failure that is to be shown. */
export type ShownFailure = Pick<Failure, "message" | "hint"> & Partial<Pick<Failure, "code" | "fixCommand" | "resetAt">>;

/** Two lines for people: what happened, and what to do about it. */
export function failureLines(failure: ShownFailure, colors: Colors): string {
  const hint = HINTS[failure.code ?? ""] ?? failure.hint;
  const reset = failure.resetAt === undefined ? "" : ` It resets at ${failure.resetAt}.`;
  const fix = failure.fixCommand === undefined ? "" : ` Run: ${colors.bold(failure.fixCommand)}`;
  return `${colors.red("✗")} ${toTerminalText(failure.message)}\n${colors.cyan("→")} ${toTerminalText(hint)}${reset}${fix}\n`;
}
