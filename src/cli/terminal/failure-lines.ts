import type { Failure } from "../../spec/failure/failure.ts";
import type { Colors, Screen } from "./screen.ts";
import { commandLines, hang, wrapWords } from "./table.ts";
import { shortPath, toCommandText, toShortTime, toUnbrokenText, withShortTime } from "./terminal-text.ts";
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
  if (failure.code === "interrupted") return toText(hang(`${colors.red("✗")} `, wrap(message), MARK_WIDTH));
  const own = failure.hint.includes("--") ? undefined : HINTS[failure.code ?? ""];
  const hint = toUnbrokenText(own ?? failure.hint) + resetWords(failure);
  const advice = failure.fixCommand === undefined ? wrap(hint) : fixLines(hint, failure, colors, width);
  return toText([...hang(`${colors.red("✗")} `, wrap(message), MARK_WIDTH), ...hang(`${colors.cyan("→")} `, advice, MARK_WIDTH)]);
}

export function printFailure({ note, noteColors, noteWidth }: Screen, failure: ShownFailure): void {
  note(failureLines(failure, noteColors, noteWidth?.()));
}

const MARK_WIDTH = 2;

function toText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
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
