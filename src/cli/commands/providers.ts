import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { createClient } from "../../client.ts";
import type { Provider } from "../../spec/provider.ts";
import { onReaderLeaving } from "../cancellation.ts";
import { EXIT } from "../exit-codes.ts";
import { helpAfter } from "../render/help.ts";
import { type ProviderFacts, providerTable } from "../render/provider-table.ts";
import { processScreen } from "../render/screen.ts";

/** Adds `cox providers`: which CLIs Coxswain knows and which of them are here. */
export function addProvidersCommand(program: Command, exit: (code: number) => void): void {
  program
    .command("providers")
    .summary("list the CLIs that Coxswain knows, and where they are")
    .description("List the CLIs that Coxswain knows: whether each is installed and what it can do. Starts none of them.")
    .option("--json", "print the same as JSON")
    .addHelpText("after", helpAfter(["cox providers", "cox providers --json"]))
    .action((options: { readonly json?: true }) => exit(listProviders(options.json === true)));
}

function listProviders(asJson: boolean): number {
  onReaderLeaving(() => process.exit(EXIT.answered));
  const client = createClient();
  const facts = client.providers.map((provider) => toFacts(provider, client.locate(provider.id)));
  const screen = processScreen();
  screen.out(asJson ? `${JSON.stringify(facts, null, 2)}\n` : providerTable(facts, screen.outColors));
  return EXIT.answered;
}

function toFacts(provider: Provider, path: string | undefined): ProviderFacts {
  const { binary, capabilities } = provider;
  return {
    id: provider.id,
    label: provider.label,
    builtIn: "script" in binary,
    found: "script" in binary ? fileURLToPath(binary.script) : (path ?? null),
    install: provider.install,
    defaultModel: provider.defaultModel ?? null,
    streaming: capabilities.streaming,
    sessions: capabilities.sessions,
    structuredOutput: capabilities.structuredOutput,
    versionsChecked: provider.versionsChecked,
  };
}
