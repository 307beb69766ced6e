import type { SpentQuota } from "../../spec/client-options.ts";
import type { Colors, Page } from "../terminal/screen.ts";
import { type Cell, commandLines, tableLines, wrapWords } from "../terminal/table.ts";
import { toDuration, toOneLine, toShortTime } from "../terminal/terminal-text.ts";

const INDENT = "  ";
/** The columns that a narrow page omits, the least important first. */
const SPARE = [5, 1, 4, 2];

/** The used-up quotas for people: the reset time of each, and below it the CLI's message; then the command that clears them. */
export function quotaTable(spent: readonly SpentQuota[], colors: Colors, page: Page, now: number = Date.now()): string {
  if (spent.length === 0) return "No used-up quota is stored.\n";
  const { bold, dim } = colors;
  const [heading = "", ...rows] = tableLines(
    [headings(spent, colors), ...spent.map((each) => toCells(each, colors, now))],
    page,
    SPARE,
  );
  const lines = rows.flatMap((row, index) => [row, ...wordsOf(spent[index], page).map((line) => dim(line))]);
  const [name, ...others] = new Set(spent.map(({ provider }) => provider));
  const clear = clearCommand(others.length === 0 ? name : undefined);
  const advice = [
    ...wrapWords("Until then Coxswain does not use them. To clear the entries:", page.width),
    ...commandLines(clear, page.width - 4).map((line, index) => `${INDENT}${index === 0 ? "$" : " "} ${bold(line)}`),
  ];
  return [heading, ...lines, "", ...advice, ""].join("\n");
}

/** A name that no shell and no option parser can misread. */
const PLAIN_NAME = /^[a-z0-9][\w.-]{0,59}$/i;

/** The command that clears the used-up quotas of a provider; of all providers if the name cannot be copied safely. */
export function clearCommand(provider: string | undefined): string {
  return provider !== undefined && PLAIN_NAME.test(provider) ? `cox quota clear ${provider}` : "cox quota clear";
}

/** One line for each quota that was cleared, or one that there was none. */
export function forgottenLines(forgotten: readonly SpentQuota[], provider: string | undefined): string {
  if (forgotten.length === 0)
    return `No used-up quota${provider === undefined ? "" : ` of ${toOneLine(provider, 60)}`} is stored.\n`;
  return forgotten.map((each) => `Cleared: ${nameOf(each)}, used up until ${toShortTime(each.resetAt)}.\n`).join("");
}

function headings(spent: readonly SpentQuota[], { bold }: Colors): readonly Cell[] {
  const login = spent.some((each) => loginOf(each) !== "") ? "LOGIN" : "";
  const model = spent.some((each) => each.model !== undefined) ? "MODEL" : "";
  return ["PROVIDER", login, model, "SPENT UNTIL", "THAT IS IN", "KNOWN SINCE"].map((text) => ({ text, color: bold }));
}

function toCells(each: SpentQuota, { yellow }: Colors, now: number): readonly Cell[] {
  const left = toDuration(Math.max(0, Date.parse(each.resetAt) - now));
  return [
    { text: toOneLine(each.provider, 30) },
    { text: loginOf(each) },
    { text: toOneLine(each.model ?? "", 30) },
    { text: toShortTime(each.resetAt, now), color: yellow },
    { text: left },
    { text: toShortTime(each.seenAt, now) },
  ];
}

function wordsOf(each: SpentQuota | undefined, { width, isStrict }: Page): readonly string[] {
  const words = toOneLine(each?.message ?? "", 300);
  return words === "" ? [] : wrapWords(words, width - INDENT.length, isStrict).map((line) => `${INDENT}${line}`);
}

function nameOf(each: SpentQuota): string {
  const parts = [each.model, loginOf(each)].filter((part) => part !== undefined && part !== "");
  const details = parts.length === 0 ? "" : ` (${parts.join(", ")})`;
  return toOneLine(`${each.provider}${details}`, 120);
}

function loginOf({ profile, account }: SpentQuota): string {
  if (profile !== undefined) return toOneLine(profile, 40);
  return account === undefined ? "" : "API key";
}
