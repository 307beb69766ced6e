import type { RunResult } from "../../spec/result.ts";
import type { Usage } from "../../spec/wire/usage.ts";
import { toDuration, toOneLine } from "../terminal/terminal-text.ts";
import { cutToWidth, textWidth } from "../terminal/text-width.ts";

const SHORTEST_MODEL = 4;

/**
 * One line about an answer: provider, model, tokens, cost and time, as far as they are known. If it is wider than the page, numbers
 * are rounded and the name of the model is cut.
 */
export function summaryLine(result: RunResult, tookMs: number, width: number): string {
  const model = toOneLine(result.model ?? "", 200);
  const exact = lineOf(result, model, tookMs, new Intl.NumberFormat("en-US"));
  if (textWidth(exact) <= width) return exact;
  const compact = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });
  const rounded = lineOf(result, model, tookMs, compact);
  const room = textWidth(model) - Math.max(0, textWidth(rounded) - width);
  return cutToWidth(lineOf(result, cutToWidth(model, Math.max(room, SHORTEST_MODEL)), tookMs, compact), width);
}

function lineOf(result: RunResult, model: string, tookMs: number, numbers: Intl.NumberFormat): string {
  const { provider = "", usage, costUsd, costScope } = result;
  const cost = `${costOf(costUsd)}${costScope === "thread" ? WHOLE_SESSION : ""}`;
  const parts = [toOneLine(provider, 60), model, tokensOf(usage, numbers), cost, toDuration(tookMs)];
  return parts.filter((part) => part !== "").join(" · ");
}

const WHOLE_SESSION = " (whole session)";

function tokensOf(usage: Usage | undefined, numbers: Intl.NumberFormat): string {
  if (usage?.outputTokens === undefined) return "";
  const about = usage.estimated ? "about " : "";
  const read = usage.inputTokens === undefined ? "" : `${numbers.format(usage.inputTokens)} in, `;
  const thread = usage.scope === "thread" ? WHOLE_SESSION : "";
  return `${about}${read}${numbers.format(usage.outputTokens)} out${thread}`;
}

/** An amount in dollars, with at least two digits of small amounts; empty if it is unknown. */
export function costOf(usd: number | undefined): string {
  if (usd === undefined) return "";
  return usd === 0 ? "$0" : `$${usd.toFixed(usd < 0.01 ? 4 : usd < 1 ? 3 : 2)}`;
}
