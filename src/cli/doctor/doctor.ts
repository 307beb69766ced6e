import type { Command } from "commander";
import { guardianWarningHere } from "../../attempt/attempt.ts";
import type { Client } from "../../client.ts";
import type { ConfigFile } from "../../config/read-config-file.ts";
import { endingGuarantee, hiddenProcessesWarning } from "../../launch/ending-guarantee.ts";
import { relativePathWarning } from "../../launch/find-cli.ts";
import type { HealthReport, HealthWarning } from "../../spec/health.ts";
import type { Provider } from "../../spec/provider/provider.ts";
import { listenForCancellation } from "../cancellation.ts";
import { EXIT } from "../exit-codes.ts";
import { namedProviders, namesOf } from "../find-provider.ts";
import {
  addConfigOptions,
  addLogOptions,
  type ConfigChoice,
  clientWith,
  type LogFlags,
  readConfigFiles,
  shortMistake,
} from "../open-client.ts";
import { leave } from "../show/print-refusal.ts";
import { helpAfter } from "../terminal/help-text.ts";
import { printJson, processScreen, textPage } from "../terminal/screen.ts";
import { shortPath } from "../terminal/terminal-text.ts";
import { UsageError } from "../usage-error.ts";
import { type DoctorFindings, healthView } from "./health-view.ts";

type DoctorOptions = LogFlags & { readonly deep?: true; readonly json?: true; readonly config?: ConfigChoice };

export function addDoctorCommand(program: Command, exit: (code: number) => void): void {
  const command = program
    .command("doctor")
    .summary("check which CLIs can be used, and how to fix the others")
    .description(
      "Check for each CLI whether it is installed, has a checked version and is logged in. Makes no API request unless --deep is given.",
    )
    .argument("[provider...]", "the CLIs to check (default: all except those of a project's configuration)")
    .option("--deep", "make a tiny API request to each CLI, which is billed")
    .option("--json", "print the report as JSON");
  addConfigOptions(command);
  addLogOptions(command)
    .addHelpText("after", helpAfter(["cox doctor", "cox doctor claude --deep", "cox doctor --json"]))
    .action(async (names: string[], options: DoctorOptions) => exit(await doctor(names, options)));
}

async function doctor(names: readonly string[], options: DoctorOptions): Promise<number> {
  const screen = processScreen();
  if (options.logFile !== undefined && options.deep !== true)
    throw new UsageError("--log-file needs --deep: without a request there is no run.", "Add --deep, or remove the option.");
  const files = readConfigFiles(options.config);
  const client = await clientWith(files, {}, options);
  const cancellation = listenForCancellation();
  cancellation.signal.addEventListener("abort", () => void client.close());
  try {
    const chosen = choose(client, names);
    if (options.deep === true && process.stderr.isTTY)
      screen.note(screen.noteColors.dim("Making a tiny request to each CLI …\n"));
    const checks = chosen.map((provider) => client.check({ provider: provider.id }, { deep: options.deep === true }));
    const reports = await Promise.all(checks);
    if (cancellation.signal.aborted) return leave(cancellation, "The check was cancelled.");
    if (options.json === true) printJson(screen, toJson(client, reports, files), 2);
    else {
      const findings = toFindings(client, reports, files, names);
      screen.out(healthView(findings, screen.outColors, textPage()));
    }
    return isAnyUsable(client, reports, names) ? EXIT.answered : EXIT.failed;
  } finally {
    await client.close();
    cancellation.dispose();
  }
}

/** A project may define any program as a CLI, so doctor does not start those unless the user names them. */
function choose(client: Client, names: readonly string[]): readonly Provider[] {
  if (names.length > 0) return namedProviders(namesOf(client), names);
  return client.providers.filter(({ origin }) => origin?.scope !== "project");
}

function toFindings(
  client: Client,
  reports: readonly HealthReport[],
  files: readonly ConfigFile[],
  names: readonly string[],
): DoctorFindings {
  const quotas = client.spentQuotas();
  const unasked = names.length > 0 ? [] : client.providers.filter(({ origin }) => origin?.scope === "project");
  return {
    diagnoses: reports.map((report) => {
      const provider = client.providers.find(({ id }) => id === report.provider);
      const { origin, install = "" } = provider ?? {};
      const spent = quotas.filter((each) => each.provider === report.provider);
      const isUnused = names.length === 0 && provider !== undefined && isUnusedGuest(client, provider, report);
      return { report, install, spent, isUnused, from: origin === undefined ? "" : shortPath(origin.path) };
    }),
    mistakes: files.flatMap((file) => file.mistakes.map(shortMistake)),
    warnings: machineWarnings(),
    ending: endingGuarantee(),
    unasked: unasked.map(({ id, origin }) => ({ id, from: shortPath(origin?.path ?? "") })),
  };
}

/** True for a provider without a login that uses the program of another one, such as GLM: the user never set it up. */
function isUnusedGuest(client: Client, { id, binary }: Provider, { failures }: HealthReport): boolean {
  const hosts = client.providers.filter(
    (other) => "names" in other.binary && "names" in binary && other.binary.names[0] === binary.names[0],
  );
  return hosts[0]?.id !== id && hosts.length > 1 && failures.every(({ code }) => code === "not-logged-in") && failures.length > 0;
}

function toJson(client: Client, providers: readonly HealthReport[], files: readonly ConfigFile[]): object {
  const config = files.map(({ path, scope, mistakes }) => ({ path, scope, mistakes }));
  const usable = providers.filter((report) => report.usable).map(({ provider }) => provider);
  const spentQuotas = client.spentQuotas().filter((spent) => providers.some(({ provider }) => provider === spent.provider));
  const keptWarm = usable.filter((id) => isKeptWarm(client.providers.find((provider) => provider.id === id)));
  return { usable, keptWarm, providers, config, spentQuotas, warnings: machineWarnings(), ending: endingGuarantee() };
}

/** True if a client keeps processes of this CLI for later runs without being asked. */
function isKeptWarm(provider: Provider | undefined): boolean {
  const resident = provider?.transports.resident;
  return resident !== undefined && resident.onlyIfAsked === undefined;
}

function machineWarnings(): readonly HealthWarning[] {
  return [relativePathWarning(process.env), hiddenProcessesWarning(), guardianWarningHere()].filter(
    (warning) => warning !== undefined,
  );
}

/** The rehearsal CLI is always installed and has no model. It counts as usable only when the user names it. */
function isAnyUsable(client: Client, reports: readonly HealthReport[], names: readonly string[]): boolean {
  const isReal = ({ provider }: HealthReport): boolean =>
    client.providers.some(({ id, binary }) => id === provider && "names" in binary);
  return reports.some((report) => report.usable && (names.length > 0 || isReal(report)));
}
