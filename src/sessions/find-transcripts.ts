import { globSync } from "node:fs";
import { join } from "node:path";
import { privateHomePath } from "../files/private-files.ts";
import { removeQuietly } from "../files/remove-files.ts";
import { stateDirectory, userHome } from "../files/state-directory.ts";
import { findProvider } from "../request/resolve-target.ts";
import type { Provider } from "../spec/provider/provider.ts";
import type { SessionRecord } from "../spec/session.ts";

type Surroundings = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly providers: readonly Provider[];
};

/** The files in which the CLI of a session stores it; empty if there are none or their place is not known. */
export function findTranscripts(host: Surroundings, { cli, cwd, settings }: SessionRecord): readonly string[] {
  const provider = cli === undefined ? undefined : findProvider(host, cli.provider);
  // The id becomes a part of a path and of a pattern.
  if (cli === undefined || cli.isFork === true || provider?.transcripts === undefined || !/^[\w-]+$/.test(cli.id)) return [];
  const { variable, folder, path } = provider.transcripts;
  const real = cli.profile ?? (host.env[variable] || join(userHome(host.env), folder));
  const isAgent = settings.mode === "agent";
  const home =
    isAgent || provider.privateHome === undefined ? real : privateHomePath({ env: host.env, provider: provider.id, real });
  const directory = isAgent ? cwd : join(stateDirectory(host.env), "empty");
  const pattern = path
    .replaceAll("<cwd>", directory.replace(/[^A-Za-z0-9]/g, "-"))
    .replaceAll("<id>", cli.id)
    .replaceAll("<id8>", cli.id.slice(0, 8));
  return globSync(pattern, { cwd: home }).map((found) => join(home, found));
}

/** Removes the files of a CLI's session. */
export function removeTranscripts(paths: readonly string[]): void {
  removeQuietly(paths);
}
