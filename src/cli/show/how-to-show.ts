import type { Cancellation } from "../cancellation.ts";
import type { AskOptions, AskOutput } from "../options/ask-options.ts";
import type { ShowOptions } from "../options/show-options.ts";
import { keyboardOf } from "../terminal/keyboard.ts";
import { processScreen, type Screen } from "../terminal/screen.ts";
import { showsWaitingSign } from "../terminal/waiting-sign.ts";
import { PermissionDesk } from "./permission-desk.ts";
import type { PrintedRun } from "./print-run.ts";

/** What a person at this terminal sees and is asked. JSON is never rendered as Markdown. */
export function howToShow(
  options: Pick<AskOptions, "verbose" | "denyTool"> & ShowOptions,
  { output, isAgent, span = "run" }: { readonly output: AskOutput; readonly isAgent: boolean; readonly span?: "run" | "chat" },
  screen: Screen,
): Pick<PrintedRun, "screen" | "desk" | "denied" | "hasSign" | "hasSummary" | "hasOutput"> {
  const { stdin, stdout, stderr } = process;
  const isQuiet = options.quiet === true;
  const canAsk = isAgent && output === "text" && stdin.isTTY && stderr.isTTY;
  return {
    screen,
    ...(canAsk && { desk: new PermissionDesk(screen, keyboardOf(stdin), span) }),
    denied: options.denyTool ?? [],
    hasSign: !isQuiet && !options.verbose && showsWaitingSign(stderr, process.env),
    hasSummary: !isQuiet && stdout.isTTY && stderr.isTTY,
    hasOutput: options.verbose === true,
  };
}

/** The screen of this process; it prints no more notes after stdout was closed. */
export function screenUntilLeft(cancellation: Cancellation, look: { readonly raw: boolean }): Screen {
  const screen = processScreen(look);
  return { ...screen, note: (text) => cancellation.readerLeft() || screen.note(text) };
}
