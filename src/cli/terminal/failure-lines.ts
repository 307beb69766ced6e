import type { Failure } from "../../spec/failure/failure.ts";
import type { Colors } from "./screen.ts";
import { shortPath } from "./short-path.ts";
import { commandLines, wrapWords } from "./table.ts";
import { toCommandText, toShortTime, toUnbrokenText, withShortTime } from "./terminal-text.ts";
import { textWidth } from "./text-width.ts";

/** Hints that name an option of the command line instead of a field of the library; a hint that names one already stays. */
const HINTS: Readonly<Record<string, string>> = {
  "total-timeout": "Raise --timeout (default: 600 s for each attempt, no limit with --agent), or split the task.",
};

export type ShownFailure = Pick<Failure, "message" | "hint"> &
  Partial<Pick<Failure, "code" | "fixCommand" | "fixFrom" | "resetAt">>;

/** Two lines for people: the message, and what to do, which is nothing after a cancellation; with a width both are wrapped at words, and the command can be copied. */
export function failureLines(failure: ShownFailure, colors: Colors, width?: number): string {
  const wrap = (text: string): readonly string[] => (width === undefined ? [text] : wrapWords(text, width - MARK_WIDTH));
  const message = toUnbrokenText(withShortTime(failure.message, failure.resetAt));
  if (failure.code === "interrupted") return marked(colors.red("✗"), wrap(message)).join("");
  const own = failure.hint.includes("--") ? undefined : HINTS[failure.code ?? ""];
  const hint = toUnbrokenText(own ?? failure.hint) + resetWords(failure);
  return [
    ...marked(colors.red("✗"), wrap(message)),
    ...marked(colors.cyan("→"), failure.fixCommand === undefined ? wrap(hint) : fixLines(hint, failure, colors, width)),
  ].join("");
}

const MARK_WIDTH = 2;

function marked(mark: string, lines: readonly string[]): readonly string[] {
  return lines.map((line, index) => `${index === 0 ? mark : " "} ${line}\n`);
}

/** The hint and the command on one line, or the command on lines of its own where that is too wide. */
function fixLines(hint: string, failure: ShownFailure, { bold }: Colors, width = Number.POSITIVE_INFINITY): readonly string[] {
  const words = `${hint} ${fixWords(failure)}:`;
  const command = toCommandText(failure.fixCommand ?? "");
  if (textWidth(`${words} ${command}`) + MARK_WIDTH <= width) return [`${words} ${bold(command)}`];
  return [...wrapWords(words, width - MARK_WIDTH), ...commandLines(command, width - MARK_WIDTH).map((line) => bold(line))];
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
