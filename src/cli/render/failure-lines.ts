import type { Failure } from "../../spec/failure.ts";
import type { Colors } from "./screen.ts";
import { shortPath } from "./short-path.ts";
import { toCommandText, toShortTime, toUnbrokenText, withShortTime } from "./terminal-text.ts";

/** Hints that name an option of the command line instead of a field of the library. */
const HINTS: Readonly<Record<string, string>> = {
  "total-timeout": "Raise --timeout (default: 600 s for each attempt, no limit with --agent), or split the task.",
};

/** The fields of a failure that are shown. */
export type ShownFailure = Pick<Failure, "message" | "hint"> &
  Partial<Pick<Failure, "code" | "fixCommand" | "fixFrom" | "resetAt">>;

/** Two lines for people: the message, and what to do. */
export function failureLines(failure: ShownFailure, colors: Colors): string {
  const hint = HINTS[failure.code ?? ""] ?? failure.hint;
  const message = withShortTime(failure.message, failure.resetAt);
  const fix = failure.fixCommand === undefined ? "" : ` ${fixWords(failure)}: ${colors.bold(toCommandText(failure.fixCommand))}`;
  return `${colors.red("✗")} ${toUnbrokenText(message)}\n${colors.cyan("→")} ${toUnbrokenText(hint)}${resetWords(failure)}${fix}\n`;
}

/** A command of a configuration file is shown as that file's. */
function fixWords({ fixFrom }: ShownFailure): string {
  return fixFrom === undefined ? "Run" : `${toUnbrokenText(shortPath(fixFrom))} names this command`;
}

/** The quota memory may be out of date: the line names the command that clears it. */
function resetWords({ code, message, resetAt }: ShownFailure): string {
  if (resetAt === undefined || message.includes(resetAt)) return "";
  const until = toShortTime(resetAt);
  return code === "quota-exhausted" ? ` Coxswain does not use it before ${until}: see cox quota.` : ` It resets at ${until}.`;
}
