import { locate } from "../launch/find-cli.ts";
import { type FoundBinary, findOwnProgram, ownVersion } from "../process/child/find-program.ts";
import { stripTerminalCodes } from "../process/child/strip-terminal-codes.ts";
import type { RunHost } from "../run/open-run.ts";
import { createFailure, type Failure } from "../spec/failure/failure.ts";
import { describeRange } from "../spec/provider/cli-data.ts";
import type { Provider } from "../spec/provider/provider.ts";
import { fixBy } from "../spec/provider/provider-facts.ts";
import { askProgram, type ProgramHost } from "./ask-program.ts";

const TIMEOUT_MS = 5000;

/** What a CLI's `--version` prints, without terminal codes; empty when it prints nothing in time; never throws. */
export async function askVersion(provider: Provider, found: FoundBinary, host: ProgramHost): Promise<string> {
  const output = await askProgram(provider, found, host, { args: ["--version"], timeoutMs: TIMEOUT_MS });
  return "stdout" in output ? stripTerminalCodes(output.stdout).trim() : "";
}

export function readVersion(printed: string): string | undefined {
  return /\d+\.\d+(?:[.+-]?\w+)*/.exec(printed)?.[0];
}

/** The version of a program that belongs to this package, without starting it; undefined for any other. */
export function versionOfOwn({ binary }: Provider): string | undefined {
  return "own" in binary && findOwnProgram(binary.own) !== undefined ? ownVersion() : undefined;
}

/** The failure of another program with the same name, which is recognized by the output of its `--version`. */
export function wrongProgram(
  providers: readonly Provider[],
  provider: Provider,
  { command }: FoundBinary,
  printed: string,
): Failure | undefined {
  const { versionPattern, label, install } = provider;
  if (versionPattern === undefined || printed === "" || versionPattern.test(printed)) return undefined;
  const other = providers.find(
    (candidate) => candidate.id !== provider.id && shareName(candidate, provider) && candidate.versionPattern?.test(printed),
  );
  const is = other === undefined ? `calls itself "${printed.slice(0, 60)}"` : `is ${other.label}`;
  const use = other === undefined ? "" : `Use provider "${other.id}" for it, or install`;
  return createFailure("cli-missing", `${label} was not found: ${command} ${is}.`, {
    hint: `${use || "Install"} ${label} and set its path.`,
    ...fixBy(provider, install),
  });
}

function shareName(one: Provider, other: Provider): boolean {
  const names = "names" in one.binary ? one.binary.names : [];
  return "names" in other.binary && other.binary.names.some((name) => names.includes(name));
}

/** The failure of a rejected flag, with the found and the checked versions; or that the program is not the provider's at all. */
export async function explainUnknownOption(failure: Failure, provider: Provider, host: RunHost): Promise<Failure> {
  const found = locate(provider, host.env);
  const printed = "command" in found ? await askVersion(provider, found, host) : "";
  const wrong = "command" in found ? wrongProgram(host.providers, provider, found, printed) : undefined;
  if (wrong !== undefined) return wrong;
  const flag = /'(--?[\w-]+)|(--[\w-]+)/.exec(failure.message);
  const named = flag?.[1] ?? flag?.[2] ?? "an option that Coxswain passes";
  const version = readVersion(printed) ?? "(version unknown)";
  const { label, versionsChecked } = provider;
  const checked = versionsChecked === undefined ? "" : `; checked with ${describeRange(versionsChecked)}`;
  return { ...failure, message: `${label} ${version} does not accept ${named}${checked}.` };
}
