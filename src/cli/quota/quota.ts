import type { Command } from "commander";
import type { Client } from "../../client.ts";
import type { SpentQuota } from "../../spec/client-options.ts";
import { onReaderLeaving } from "../cancellation.ts";
import { EXIT } from "../exit-codes.ts";
import { findProvider } from "../find-provider.ts";
import { clientWith, readConfigFiles } from "../open-client.ts";
import { helpAfter } from "../terminal/help-text.ts";
import { processScreen, textPage } from "../terminal/screen.ts";
import { toJsonText } from "../terminal/terminal-text.ts";
import { forgottenLines, quotaTable } from "./quota-view.ts";

/** Adds `cox quota`: prints the quota memory and clears it. */
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
  onReaderLeaving(() => process.exit(EXIT.answered));
  const screen = processScreen();
  const spent = (await quotaClient()).spentQuotas();
  if (asJson) screen.out(toJson(spent));
  else screen.out(quotaTable(spent, screen.outColors, textPage()));
  return EXIT.answered;
}

async function clearQuotas(name: string | undefined, asJson: boolean): Promise<number> {
  onReaderLeaving(() => process.exit(EXIT.answered));
  const screen = processScreen();
  const client = await quotaClient();
  const id = name === undefined ? undefined : idOf(client, name);
  const forgotten = client.forgetQuotas(id);
  screen.out(asJson ? toJson(forgotten) : forgottenLines(forgotten, id));
  return EXIT.answered;
}

/** Mistakes in configuration files are ignored here. */
function quotaClient(): Promise<Client> {
  return clientWith(readConfigFiles(undefined));
}

/** The quota memory may name a CLI that is configured in another directory. */
function idOf(client: Client, name: string): string {
  const isRemembered = client.spentQuotas().some(({ provider }) => provider === name);
  return isRemembered ? name : findProvider(client.providers, name).id;
}

function toJson(quotas: readonly SpentQuota[]): string {
  return `${toJsonText(quotas, 2)}\n`;
}
