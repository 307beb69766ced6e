import type { Command } from "commander";
import type { Client } from "../../client.ts";
import type { SpentQuota } from "../../spec/policy.ts";
import { onReaderLeaving } from "../cancellation.ts";
import { EXIT } from "../exit-codes.ts";
import { findProvider } from "../find-provider.ts";
import { clientWith, readConfigFiles } from "../open-client.ts";
import { helpAfter } from "../render/help.ts";
import { forgottenLines, quotaTable } from "../render/quota-view.ts";
import { processScreen } from "../render/screen.ts";

const WIDEST = 100;

/** Adds `cox quota`: which accounts are known to be used up, and how to have that forgotten. */
export function addQuotaCommand(program: Command, exit: (code: number) => void): void {
  const quota = program
    .command("quota")
    .summary("show which quotas are known to be spent, or forget it")
    .description(
      "Show the accounts that have said when their spent quota opens again. Until then nothing of yours that uses Coxswain asks them.",
    )
    .usage("[options] [clear]")
    .option("--json", "print the same as JSON")
    .addHelpText("after", helpAfter(["cox quota", "cox quota --json", "cox quota clear claude"]))
    .action((options: { readonly json?: true }) => exit(showQuotas(options.json === true)));
  quota
    .command("clear")
    .summary("forget that a quota is spent, so that the CLI is asked again")
    .description("Forget that the quota of a CLI is spent, so that it is asked again; without a name, of all of them.")
    .argument("[provider]", "which CLI (default: all)")
    .option("--json", "print what was forgotten as JSON")
    .addHelpText("after", helpAfter(["cox quota clear", "cox quota clear claude"]))
    .action((name: string | undefined, _, command: Command) => {
      exit(clearQuotas(name, command.optsWithGlobals()["json"] === true));
    });
}

function showQuotas(asJson: boolean): number {
  onReaderLeaving(() => process.exit(EXIT.answered));
  const screen = processScreen();
  const spent = quotaClient().spentQuotas();
  if (asJson) screen.out(toJson(spent));
  else screen.out(quotaTable(spent, screen.outColors, Math.min(process.stdout.columns || 80, WIDEST)));
  return EXIT.answered;
}

function clearQuotas(name: string | undefined, asJson: boolean): number {
  onReaderLeaving(() => process.exit(EXIT.answered));
  const screen = processScreen();
  const client = quotaClient();
  const id = name === undefined ? undefined : idOf(client, name);
  const forgotten = client.forgetQuotas(id);
  screen.out(asJson ? toJson(forgotten) : forgottenLines(forgotten, id));
  return EXIT.answered;
}

/** A mistake in a configuration file is no reason not to forget something. */
function quotaClient(): Client {
  return clientWith(readConfigFiles(undefined));
}

/** What is remembered may belong to a CLI that is configured elsewhere. */
function idOf(client: Client, name: string): string {
  const isRemembered = client.spentQuotas().some(({ provider }) => provider === name);
  return isRemembered ? name : findProvider(client.providers, name).id;
}

function toJson(quotas: readonly SpentQuota[]): string {
  return `${JSON.stringify(quotas, null, 2)}\n`;
}
