import type { Command } from "commander";
import type { Client } from "../client.ts";
import type { SpentQuota } from "../spec/client-options.ts";
import { openPrinter } from "./cancellation.ts";
import { EXIT } from "./exit-codes.ts";
import { namedProvider, namesOf } from "./find-provider.ts";
import { clientOfState } from "./open-client.ts";
import { helpAfter } from "./terminal/help-text.ts";
import { type Colors, type Page, printJson, textPage } from "./terminal/screen.ts";
import { type Cell, commandLines, hang, headings, tableLines, wrapWords } from "./terminal/table.ts";
import { toDuration, toOneLine, toShortTime } from "./terminal/terminal-text.ts";

export function addQuotaCommand(program: Command, exit: (code: number) => void): void {
  const quota = program
    .command("quota")
    .summary("list used-up quotas, or clear them")
    .description(
      "List the accounts with a used-up quota and the time when it resets. Until then Coxswain does not use these accounts.",
    )
    .usage("[options] [clear]")
    .option("--json", "print the list as JSON")
    .addHelpText("after", helpAfter(["cox quota", "cox quota --json", "cox quota clear claude"]))
    .action(async (options: { readonly json?: true }) => exit(await showQuotas(options.json === true)));
  quota
    .command("clear")
    .summary("clear used-up quotas, so that the CLI is used again")
    .description("Clear the used-up quotas of a CLI, or of all CLIs if no name is given, so that Coxswain uses them again.")
    .argument("[provider]", "which CLI (default: all)")
    .option("--json", "print the cleared entries as JSON")
    .addHelpText("after", helpAfter(["cox quota clear", "cox quota clear claude"]))
    .action(async (name: string | undefined, _, command: Command) => {
      exit(await clearQuotas(name, command.optsWithGlobals()["json"] === true));
    });
}

async function showQuotas(asJson: boolean): Promise<number> {
  const screen = openPrinter();
  const spent = (await clientOfState()).spentQuotas();
  if (asJson) printJson(screen, spent, 2);
  else screen.out(quotaTable(spent, screen.outColors, textPage()));
  return EXIT.answered;
}

async function clearQuotas(name: string | undefined, asJson: boolean): Promise<number> {
  const screen = openPrinter();
  const client = await clientOfState();
  const id = name === undefined ? undefined : idOf(client, name);
  const forgotten = client.forgetQuotas(id);
  if (asJson) printJson(screen, forgotten, 2);
  else screen.out(forgottenLines(forgotten, id));
  return EXIT.answered;
}

/** The quota memory may name a CLI that is configured in another directory. */
function idOf(client: Client, name: string): string {
  const isRemembered = client.spentQuotas().some(({ provider }) => provider === name);
  return isRemembered ? name : namedProvider(namesOf(client), name).id;
}

const INDENT = "  ";
const HEADINGS = ["PROVIDER", "LOGIN", "MODEL", "SPENT UNTIL", "THAT IS IN", "KNOWN SINCE"];
/** The columns that a narrow page omits, the least important first. */
const SPARE = [5, 1, 4, 2];

/** The used-up quotas for people: the reset time of each, and below it the CLI's message; then the command that clears them. */
export function quotaTable(spent: readonly SpentQuota[], colors: Colors, page: Page, now: number = Date.now()): string {
  if (spent.length === 0) return "No used-up quota is stored.\n";
  const { bold, dim } = colors;
  const cells = spent.map((each) => toCells(each, colors, now));
  const [heading = "", ...rows] = tableLines([headings(HEADINGS, bold, cells), ...cells], page, SPARE);
  const lines = rows.flatMap((row, index) => [row, ...wordsOf(spent[index], page).map((line) => dim(line))]);
  const [name, ...others] = new Set(spent.map(({ provider }) => provider));
  const clear = clearCommand(others.length === 0 ? name : undefined);
  const advice = [
    ...wrapWords("Until then Coxswain does not use them. To clear the entries:", page.width),
    ...hang(`${INDENT}$ `, commandLines(clear, page.width - 4).map(bold)),
  ];
  return [heading, ...lines, "", ...advice, ""].join("\n");
}

/** A name that no shell and no option parser can misread. */
const PLAIN_NAME = /^[a-z0-9][\w.-]{0,59}$/i;

/** The command that clears the used-up quotas of a provider; of all providers if the name cannot be copied safely. */
export function clearCommand(provider: string | undefined): string {
  return provider !== undefined && PLAIN_NAME.test(provider) ? `cox quota clear ${provider}` : "cox quota clear";
}

export function forgottenLines(forgotten: readonly SpentQuota[], provider: string | undefined): string {
  if (forgotten.length === 0)
    return `No used-up quota${provider === undefined ? "" : ` of ${toOneLine(provider, 60)}`} is stored.\n`;
  return forgotten.map((each) => `Cleared: ${nameOf(each)}, used up until ${toShortTime(each.resetAt)}.\n`).join("");
}

function toCells(each: SpentQuota, { yellow }: Colors, now: number): readonly Cell[] {
  const left = toDuration(Math.max(0, Date.parse(each.resetAt) - now));
  return [
    toOneLine(each.provider, 30),
    loginOf(each),
    toOneLine(each.model ?? "", 30),
    { text: toShortTime(each.resetAt, now), color: yellow },
    left,
    toShortTime(each.seenAt, now),
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
