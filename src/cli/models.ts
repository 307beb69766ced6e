import type { Command } from "commander";
import type { Client } from "../client.ts";
import type { ModelReport } from "../spec/health.ts";
import type { Provider } from "../spec/provider/provider.ts";
import { listenForCancellation } from "./cancellation.ts";
import { EXIT, exitCodeOf } from "./exit-codes.ts";
import { installedPath, namedProviders, namesOf } from "./find-provider.ts";
import { addConfigOptions, type ConfigChoice, clientWith, readSoundFiles } from "./open-client.ts";
import { leave } from "./show/print-refusal.ts";
import { printFailure } from "./terminal/failure-lines.ts";
import { helpAfter } from "./terminal/help-text.ts";
import { WordFlow } from "./terminal/markdown/word-flow.ts";
import { type Colors, type Page, printJson, processScreen, textPage } from "./terminal/screen.ts";
import { wrapWords } from "./terminal/table.ts";
import { toUnbrokenText } from "./terminal/terminal-text.ts";

type ModelsOptions = { readonly json?: true; readonly config?: ConfigChoice };

export function addModelsCommand(program: Command, exit: (code: number) => void): void {
  const command = program
    .command("models")
    .summary("list the models of the CLIs")
    .description(
      "List the models of the installed CLIs, or of those that are named. A CLI that can list its models is started for it, without a model request; for the others the list of Coxswain is shown, and the account may have more.",
    )
    .argument("[provider...]", "the CLIs (default: all installed CLIs except those of a project's configuration)")
    .option("--json", "print the lists as JSON");
  addConfigOptions(command)
    .addHelpText("after", helpAfter(["cox models", "cox models codex", "cox models --json"]))
    .action(async (names: string[], options: ModelsOptions) => exit(await showModels(names, options)));
}

async function showModels(names: readonly string[], options: ModelsOptions): Promise<number> {
  const screen = processScreen();
  const client = await clientWith(readSoundFiles(options.config));
  const cancellation = listenForCancellation();
  cancellation.signal.addEventListener("abort", () => void client.close());
  try {
    const reports = await Promise.all(choose(client, names).map(({ id }) => client.listModels({ provider: id })));
    if (cancellation.signal.aborted) return leave(cancellation, "The question was cancelled.");
    if (options.json === true) printJson(screen, reports, 2);
    else {
      const accountless = client.providers.filter(({ loginStatus }) => loginStatus === "not-needed").map(({ id }) => id);
      screen.out(modelsView(reports, accountless, screen.outColors, textPage()));
      for (const { failure } of reports) if (failure !== undefined) printFailure(screen, failure);
    }
    return toExitCode(reports);
  } finally {
    await client.close();
    cancellation.dispose();
  }
}

/** A program of a project's configuration is started only by name, as everywhere. */
function choose(client: Client, names: readonly string[]): readonly Provider[] {
  if (names.length > 0) return namedProviders(namesOf(client), names);
  return client.providers.filter((provider) => {
    const { binary, origin } = provider;
    return "names" in binary && origin?.scope !== "project" && installedPath(provider) !== undefined;
  });
}

/** A CLI without any list is a failure; one with the list of Coxswain is not. */
function toExitCode(reports: readonly ModelReport[]): number {
  const failed = reports.find(({ models, failure }) => models.length === 0 && failure !== undefined)?.failure;
  return failed === undefined ? EXIT.answered : exitCodeOf(failed);
}

const NONE = "No CLI is installed. Name one to see the models that Coxswain knows: cox models claude";

/**
 * The models of each CLI, one in a line below its name; `accountless` are the providers without an account. The name of a model stays
 * whole, so that it can be copied.
 */
export function modelsView(
  reports: readonly ModelReport[],
  accountless: readonly string[],
  colors: Colors,
  { width }: Page,
): string {
  if (reports.length === 0) return `${wrapWords(NONE, width).join("\n")}\n`;
  const blocks = reports.map((report) => [
    headingOf(report, toSource(report, accountless), colors, width),
    ...modelLines(report, colors),
  ]);
  return `${blocks.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

function toSource({ provider, source }: ModelReport, accountless: readonly string[]): string {
  if (source === "cli") return "as the CLI lists them";
  return accountless.includes(provider) ? "known to Coxswain" : "known to Coxswain; the account may have others";
}

function headingOf({ provider }: ModelReport, from: string, { bold, dim }: Colors, width: number): string {
  const flow = new WordFlow(width, { first: "", rest: "  " });
  return flow.add([
    { text: provider, style: bold },
    { text: ` (${from})`, style: dim },
  ]);
}

function modelLines({ models, defaultModel }: ModelReport, { dim }: Colors): readonly string[] {
  if (models.length === 0) return ["  none is known"];
  return models.map((name) => `  ${toUnbrokenText(name)}${name === defaultModel ? dim(" (default)") : ""}`);
}
