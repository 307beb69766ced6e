import type { RequestEntry } from "../../gateway/index.ts";
import type { Colors } from "../terminal/screen.ts";
import { toDuration, toOneLine } from "../terminal/terminal-text.ts";

const LONGEST_NAME = 60;

/** One line about a request of the gateway, without anything that the client wrote except the path and the model's name. */
export function requestLine(entry: RequestEntry, at: Date, colors: Colors): string {
  const { method, path, status, ms, inputTokens, outputTokens, attempts = 1, failure } = entry;
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => String(part).padStart(2, "0")).join(":");
  const parts = [
    `${toOneLine(method, 10)} ${toOneLine(path, LONGEST_NAME)}`,
    targetWords(entry),
    toDuration(ms),
    inputTokens === undefined && outputTokens === undefined ? "" : `${inputTokens ?? "?"}+${outputTokens ?? "?"} tokens`,
    attempts > 1 ? `${attempts} attempts` : "",
    failure ?? "",
  ];
  return `${colors.dim(time)} ${statusColor(status, colors)(String(status))} ${parts.filter((part) => part !== "").join("  ")}\n`;
}

function targetWords({ asked, provider, model }: RequestEntry): string {
  if (asked === undefined) return "";
  const answered = provider === undefined ? "" : ` → ${provider}${model === undefined ? "" : `/${model}`}`;
  return toOneLine(`${toOneLine(asked, LONGEST_NAME)}${answered}`, 3 * LONGEST_NAME);
}

function statusColor(status: number, { green, yellow, red }: Colors): (text: string) => string {
  if (status < 400) return green;
  return status < 500 ? yellow : red;
}
