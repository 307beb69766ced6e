import type { FoundBinary } from "../process/find-binary.ts";
import type { Failure } from "../spec/failure.ts";
import type { Provider } from "../spec/provider.ts";
import type { RunWarning } from "../spec/result.ts";
import { describeRange, placeVersion } from "../spec/versions.ts";
import { askProgram } from "./ask-program.ts";
import { atVersion } from "./at-version.ts";
import { locate } from "./locate.ts";
import { readVersion, VERSION_PATIENCE_MS } from "./probe-version.ts";
import type { RunHost } from "./runner.ts";
import { stripTerminalCodes } from "./strip-terminal-codes.ts";

/** A CLI as it is installed here: its program, its version as far as that is known, and the provider for that version. */
export type InstalledCli = {
  readonly provider: Provider;
  readonly found: FoundBinary | Failure;
  readonly version?: string;
};

/** Looks for the CLI of a provider; starts nothing. */
export function findInstalled(host: Pick<RunHost, "env" | "versions">, provider: Provider): InstalledCli {
  const found = locate(provider, host.env);
  const version = "command" in found ? host.versions.find(provider, found) : undefined;
  return { provider: atVersion(provider, version), found, ...(version !== undefined && { version }) };
}

/** The warning that a version was never proven, the first time that it is met. */
export function warnOfUnproven({ versions }: RunHost, { provider, version }: InstalledCli): readonly RunWarning[] {
  const { label, versionsChecked } = provider;
  if (version === undefined || versionsChecked === undefined) return [];
  const place = placeVersion(version, versionsChecked);
  if (place === "checked" || !versions.isNews(provider, version)) return [];
  const found = `${label} ${version} was found, which is ${place} than what Coxswain was checked with (${describeRange(versionsChecked)}).`;
  const advice = `It is used all the same; if something goes wrong, ${place === "newer" ? "update Coxswain or " : ""}install ${versionsChecked.newest}.`;
  return [{ code: "cli-unproven", message: `${found} ${advice}` }];
}

/**
 * Asks a program for its version beside a run, once, where its files do not tell and its provider differs by version; runs to
 * come know it. Nobody waits for it, and it does not keep the host alive.
 */
export async function learnVersion(host: RunHost, { provider, found, version }: InstalledCli): Promise<void> {
  if (version !== undefined || provider.changes === undefined || !("command" in found)) return;
  if (!host.versions.takeQuestion(provider, found)) return;
  const question = { args: ["--version"], patienceMs: VERSION_PATIENCE_MS, keepsHost: false };
  const words = await askProgram(provider, found, host, question);
  if ("stdout" in words && !words.isLate && words.exitCode === 0)
    host.versions.note(provider, found, readVersion(stripTerminalCodes(words.stdout)));
}
