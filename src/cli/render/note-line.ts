import type { RunEnd, RunEvent, TextDelta, TextReset, ToolEnd, UpstreamRetry } from "../../spec/events.ts";
import type { PolicyEvent } from "./policy-lines.ts";
import { toDuration, toOneLine, toShortTime } from "./terminal-text.ts";

/** All events except the answer's text, its end and the policy events. */
export type SideEvent = Exclude<RunEvent, TextDelta | TextReset | RunEnd | PolicyEvent>;

/** One line about an event for people, or undefined for events that are not shown. */
export function noteLine(event: SideEvent): string | undefined {
  switch (event.type) {
    case "tool-end":
      return `${event.parentToolId === undefined ? "" : "  "}${toolLine(event)}`;
    case "permission-denied":
      return `⊘ ${toOneLine(event.name, 60)} was not allowed: ${toOneLine(JSON.stringify(event.input), 80)}`;
    case "permission-request":
      return `? The CLI asks whether ${toOneLine(event.name, 60)} may run: ${toOneLine(JSON.stringify(event.input), 80)}`;
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

/** A name that no shell and no option parser can misread. */
const PLAIN_NAME = /^[a-z][\w.-]{0,59}$/i;

/** The option that would allow the tool. */
export function allowAdvice(name: string): string {
  return `To allow it: --allow-tool ${PLAIN_NAME.test(name) ? name : "<pattern>"}`;
}

function toolLine(event: ToolEnd): string {
  const input = toOneLine(JSON.stringify(event.input), 80);
  const outcome = event.synthetic === true ? "no result" : `${event.isError ? "✗ " : ""}${toDuration(event.durationMs)}`;
  return `⚙ ${toOneLine(event.name, 60)} ${input} → ${outcome}`;
}

function retryLine(event: UpstreamRetry): string {
  const reason = [event.reason, event.status].filter((part) => part !== undefined).join(" ");
  const limit = event.maxAttempts === undefined ? "" : ` of ${event.maxAttempts}`;
  const delay = event.delayMs === undefined ? "" : ` in ${toDuration(event.delayMs)}`;
  return `↻ The CLI retries${delay} (${event.attempt}${limit})${reason === "" ? "" : `: ${toOneLine(reason, 80)}`}`;
}
