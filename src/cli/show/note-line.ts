import { isJsonObject, type JsonObject, type JsonValue } from "../../spec/json.ts";
import { toVisibleLine, toVisibleText } from "../../spec/text.ts";
import type { RunEnd, RunEvent, TextDelta, TextReset, ToolEnd, UpstreamRetry } from "../../spec/wire/events.ts";
import { toDuration, toOneLine, toShortTime } from "../terminal/terminal-text.ts";
import { cutToWidth } from "../terminal/text-width.ts";
import type { PolicyEvent } from "./policy-lines.ts";

/** All events except the answer's text, its end and the policy events. */
export type SideEvent = Exclude<RunEvent, TextDelta | TextReset | RunEnd | PolicyEvent>;

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

/** The fields that say what a call does; the fields beside them say how. */
const MAIN = ["command", "url", "query", "pattern", "file_path", "absolute_path", "notebook_path", "path", "title"];
const LONGEST_NAME = 60;
const SHORTEST_INPUT = 20;
/** More is never shown, and the time to make a text visible grows with its length. */
const MOST_CHARACTERS = 2000;

/** A call on one line, `Bash(touch made.txt)`, in at most this many columns; a long name or input is cut. */
function callText({ name, input }: { readonly name: string; readonly input: JsonValue }, width: number): string {
  const shown = cutToWidth(visible(name), LONGEST_NAME);
  return `${shown}(${cutToWidth(visible(inputText(input)), Math.max(SHORTEST_INPUT, width - shown.length - 2))})`;
}

/** The output of a tool as text: its own words without marks around them. */
function outputText(output: JsonValue): string {
  const parts = Array.isArray(output) ? output.map((part) => (isJsonObject(part) ? part["text"] : part)) : [output];
  const isText = parts.length > 0 && parts.every((part) => typeof part === "string");
  const text = isText ? parts.join("\n") : output === null ? "" : JSON.stringify(output);
  return /^<([a-z_]+)>(.*)<\/\1>$/s.exec(text.trim())?.[2] ?? text;
}

function visibleLine(text: string, width: number): string {
  return cutToWidth(visible(text.slice(0, MOST_CHARACTERS).replace(/\s+/g, " ").trim()), width);
}

function visible(text: string): string {
  return toVisibleText(text.slice(0, MOST_CHARACTERS));
}

function inputText(input: JsonValue): string {
  if (!isJsonObject(input)) return valueText(input);
  const main = MAIN.map((field) => input[field]).find((value) => typeof value === "string" && value !== "");
  if (main !== undefined) return valueText(main);
  const paths = pathsOf(input);
  const entries = Object.entries(input);
  if (paths.length > 0) return paths.join(", ");
  if (entries.length === 1) return valueText(entries[0]?.[1] ?? null);
  return entries.map(([key, value]) => `${key}: ${valueText(value)}`).join(", ");
}

function pathsOf({ changes }: JsonObject): readonly string[] {
  if (!Array.isArray(changes)) return [];
  return changes.flatMap((change) => (isJsonObject(change) && typeof change["path"] === "string" ? [change["path"]] : []));
}

function valueText(value: JsonValue): string {
  if (value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

const MOST_LINES = 200;
const LONGEST_LINE = 1000;

/** The output of a tool for people: its first and last lines, in which nothing is hidden. */
export function outputLines(output: JsonValue): readonly string[] {
  const lines = outputText(output).trimEnd().split(/\r?\n/);
  if (lines.join("") === "") return [];
  const left = lines.length - MOST_LINES;
  const half = MOST_LINES / 2;
  const shown =
    left <= 0 ? lines : [...lines.slice(0, half), `… ${left.toLocaleString("en")} more lines …`, ...lines.slice(-half)];
  return shown.map((line) => toVisibleLine(line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line).trimEnd());
}
