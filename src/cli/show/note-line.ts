import type { RunEnd, RunEvent, TextDelta, TextReset, ToolEnd, UpstreamRetry } from "../../spec/wire/events.ts";
import { toDuration, toOneLine, toShortTime } from "../terminal/terminal-text.ts";
import { callText, outputText, visibleLine } from "./call-text.ts";
import type { PolicyEvent } from "./policy-lines.ts";

/** All events except the answer's text, its end and the policy events. */
export type SideEvent = Exclude<RunEvent, TextDelta | TextReset | RunEnd | PolicyEvent>;

/** The width of a call where the notes have none. */
const USUAL_WIDTH = 100;
const LONGEST_REASON = 200;
const DENIED = " was not allowed.";

/** One line about an event for people, or undefined for events that are not shown. Calls are cut so that they fit this width. */
export function noteLine(event: SideEvent, width: number = USUAL_WIDTH): string | undefined {
  switch (event.type) {
    case "tool-end":
      return `${event.parentToolId === undefined ? "" : "  "}${toolLine(event, width - 2)}`;
    case "permission-denied":
      return `⊘ ${callText(event, width - DENIED.length - 2)}${DENIED}`;
    case "permission-request":
      return `? The CLI asks about ${callText(event, width - "? The CLI asks about .".length)}.`;
    case "file-change":
      return `✎ ${event.kind} ${toOneLine(event.path, 200)}`;
    case "warning":
      return `! ${toOneLine(event.message, 200)}`;
    case "quota":
      return `! Limit "${toOneLine(event.window, 60)}"${event.resetAt === undefined ? "" : ` resets at ${toShortTime(event.resetAt)}`}`;
    case "upstream-retry":
      return retryLine(event);
    case "handover":
      return `→ ${toOneLine(event.to, 60)} continues the session of ${toOneLine(event.from, 60)} (${event.messages} messages).`;
    case "run-start":
    case "attempt-start":
    case "session-start":
    case "text-end":
    case "reasoning-delta":
    case "tool-start":
    case "tool-input-delta":
    case "tool-call":
    case "tool-call-invalid":
    case "tool-reset":
    case "tool-output-delta":
    case "object-delta":
    case "usage":
    case "native":
      return undefined;
    default:
      return event satisfies never;
  }
}

function toolLine(event: ToolEnd, width: number): string {
  const end = event.synthetic === true ? "no result" : `${event.isError ? "✗ " : ""}${toDuration(event.durationMs)}`;
  const reason = event.isError ? visibleLine(outputText(event.output), LONGEST_REASON) : "";
  return `⚙ ${callText(event, width - end.length - "⚙  → ".length)} → ${end}${reason === "" ? "" : `: ${reason}`}`;
}

function retryLine(event: UpstreamRetry): string {
  const reason = [event.reason, event.status].filter((part) => part !== undefined).join(" ");
  const limit = event.maxAttempts === undefined ? "" : ` of ${event.maxAttempts}`;
  const delay = event.delayMs === undefined ? "" : ` in ${toDuration(event.delayMs)}`;
  return `↻ The CLI retries${delay} (${event.attempt}${limit})${reason === "" ? "" : `: ${toOneLine(reason, 80)}`}`;
}
