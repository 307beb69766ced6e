import type { FoundBinary } from "../process/child/find-binary.ts";
import type { Failure } from "../spec/failure/failure.ts";
import type { Provider, ProviderChange, Surroundings } from "../spec/provider/provider.ts";
import { compareVersions, describeRange, placeVersion } from "../spec/provider/versions.ts";
import type { RunWarning } from "../spec/result.ts";
import type { KnownVersions } from "./known-versions.ts";
import { locate } from "./locate.ts";

/** An installed CLI: its program, its version if it is known, and the provider for that version. */
export type InstalledCli = {
  readonly provider: Provider;
  readonly found: FoundBinary | Failure;
  readonly version?: string;
};

/** Finds the installed CLI of a provider; starts nothing. */
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
