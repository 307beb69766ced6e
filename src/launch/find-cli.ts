import { createHash } from "node:crypto";
import { join } from "node:path";
import { userHome } from "../files/state-directory.ts";
import { type FoundBinary, findBinary, relativeFolders } from "../process/child/find-program.ts";
import { createFailure, type Failure } from "../spec/failure/failure.ts";
import type { HealthWarning } from "../spec/health.ts";
import { compareVersions, describeRange, type LaunchPlan, placeVersion, readVariable } from "../spec/provider/cli-data.ts";
import type { Provider, ProviderChange } from "../spec/provider/provider.ts";
import { fixBy, type Surroundings } from "../spec/provider/provider-facts.ts";
import type { Target } from "../spec/request.ts";
import type { RunWarning } from "../spec/result.ts";
import { type KnownVersions, stampOf } from "./known-versions.ts";

/** An installed CLI: its program, its version if it is known, and the provider for that version. */
export type InstalledCli = {
  readonly provider: Provider;
  readonly found: FoundBinary | Failure;
  readonly version?: string;
};

/** Starts nothing. */
export function findInstalled(
  host: { readonly env: Surroundings; readonly versions: KnownVersions },
  provider: Provider,
): InstalledCli {
  const found = locate(provider, host.env);
  const version = "command" in found ? host.versions.find(provider, found) : undefined;
  return { provider: atVersion(provider, version), found, ...(version !== undefined && { version }) };
}

/** The warning about a version that was not tested; empty after the first time for this version. */
export function warnOfUnproven(
  { versions }: { readonly versions: KnownVersions },
  { provider, version }: InstalledCli,
): readonly RunWarning[] {
  const { label, versionsChecked } = provider;
  if (version === undefined || versionsChecked === undefined) return [];
  const place = placeVersion(version, versionsChecked);
  if (place === "checked" || !versions.isFirstNotice(provider, version)) return [];
  const found = `${label} ${version} is ${place} than the versions that Coxswain was checked with (${describeRange(versionsChecked)}).`;
  const advice = `Coxswain uses it. If it fails, ${place === "newer" ? "update Coxswain or " : ""}install ${versionsChecked.newest}.`;
  return [{ code: "cli-unproven", message: `${found} ${advice}` }];
}

/**
 * The provider for a version of its CLI: with all changes up to that version. An unknown version counts as the newest tested one.
 */
export function atVersion(provider: Provider, version: string | undefined): Provider {
  const { changes = [], versionsChecked } = provider;
  if (changes.length === 0) return provider;
  const at = version ?? versionsChecked?.newest;
  const made = atVersions.get(provider) ?? new Map<string | undefined, Provider>();
  atVersions.set(provider, made);
  const known = made.get(at);
  if (known !== undefined) return known;
  const changed = changes.filter(({ since }) => at === undefined || compareVersions(at, since) >= 0).reduce(withChange, provider);
  made.set(at, changed);
  return changed;
}

/** The providers that were made for versions: every run asks for one. */
const atVersions = new WeakMap<Provider, Map<string | undefined, Provider>>();

function withChange(provider: Provider, { since: _, set, limits, nativeTools, ...fields }: ProviderChange): Provider {
  const env = set === undefined ? provider.env : { ...provider.env, set: { ...provider.env.set, ...set } };
  const { spawn, ...others } = provider.transports;
  // A provider without native tools (withoutNativeTools) does not get them by a change.
  const tools = spawn.nativeTools === undefined ? undefined : nativeTools;
  const changed = { ...spawn, ...(limits !== undefined && { limits }), ...(tools !== undefined && { nativeTools: tools }) };
  return { ...provider, ...fields, env, transports: { ...others, spawn: changed } };
}

/** What to do about programs of this package that a bundler left out. */
export const UNBUNDLE = "Keep the package coxswain external in the bundler, or install it beside the bundle (docs/bundling.md).";

export function locate(provider: Provider, env: Surroundings): FoundBinary | Failure {
  const found = findBinary(provider.binary, env);
  if (!("missing" in found)) return found;
  if (found.missing === "not-executable") {
    return createFailure("cli-not-executable", `${found.looked} exists but is not executable.`, {
      evidence: { errno: "EACCES" },
    });
  }
  if ("own" in provider.binary)
    return createFailure("cli-missing", `The program of ${provider.label} is not in this bundle.`, { hint: UNBUNDLE });
  const details = {
    hint: [`Install ${provider.label} or set its path.`, relativePathWarning(env)?.message ?? ""].join(" ").trim(),
    ...fixBy(provider, provider.install),
    evidence: { errno: "ENOENT" },
  };
  const where = "script" in provider.binary ? `there is no ${found.looked}` : `searched for ${found.looked} on PATH`;
  return createFailure("cli-missing", `${provider.label} was not found (${where}).`, details);
}

export function relativePathWarning(env: Surroundings): HealthWarning | undefined {
  const folders = relativeFolders(env);
  if (folders.length === 0) return undefined;
  const [words, verb] = folders.length === 1 ? ["The relative entry", "is"] : ["The relative entries", "are"];
  return {
    code: "path-relative",
    message: `${words} ${folders.map((folder) => JSON.stringify(folder)).join(", ")} of PATH ${verb} not searched.`,
    hint: "In a project of somebody else such an entry would start programs of that project. Use absolute entries.",
  };
}

/** A text that changes when the program of a CLI or its login is replaced. */
export function identityOfCli({ provider, found }: InstalledCli, { profile }: Target, env: Surroundings): string {
  const program = "command" in found ? [found.command, ...found.prefixArgs] : [];
  return [...program, ...loginFiles(provider, env, profile)].map((path) => stampOf(path) ?? "-").join(" ");
}

/** A text that changes as that of `identityOfCli` does, and also with the environment, which may have another login. */
export function identityWithEnv(cli: InstalledCli, target: Target, env: Surroundings): string {
  // An attempt with a bridge adds its address here.
  const { NO_PROXY: _, no_proxy: __, ...others } = env;
  return `${identityOfCli(cli, target, env)} ${digestOf(others)}`;
}

/** A digest that is equal for plans that start the same process. */
export function digestOfPlan(plan: LaunchPlan, env: Surroundings): string {
  const { provider, command, args, env: own, stripEnv, cwd, home, stdout, tempFiles, leftovers, umask } = plan;
  return digestOf([provider, command, args, own, stripEnv, cwd, home, stdout, tempFiles, leftovers, umask, env]);
}

/** A digest of a value, so that no secret in it can be read. */
export function digestOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("base64");
}

/** The paths of the files that exist after a login of a CLI; none for a CLI whose login files are not known. */
export function loginFiles(provider: Provider, env: Surroundings, profile: string | undefined): readonly string[] {
  const { loginStatus } = provider;
  if (loginStatus === undefined || loginStatus === "not-needed" || loginStatus.files === undefined) return [];
  const { variable, folder, names } = loginStatus.files;
  const own = variable !== undefined && variable === provider.env.profile ? profile : undefined;
  const named = variable === undefined ? undefined : readVariable(env, variable);
  const home = own ?? (named || join(userHome(env), folder));
  return names.map((name) => join(home, name));
}
