import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { compareVersions } from "../../src/spec/provider/cli-data.ts";
import { PINS } from "./pins.ts";

/** The newest published version of a package; undefined when the registry does not answer in time. */
export async function newestVersion(name: string, timeoutMs = 20_000): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)("npm", ["view", name, "version"], { timeout: timeoutMs });
    return /^\d+\.\d+\S*$/.exec(stdout.trim())?.[0];
  } catch {
    return undefined;
  }
}

/** A pinned CLI of which the registry has a newer version. */
export type NewerVersion = { readonly name: string; readonly pinned: string; readonly newest: string };

/** The pinned CLIs that have newer versions; a CLI for which the registry does not answer is left out. */
export async function findNewerVersions(): Promise<readonly NewerVersion[]> {
  const found = await Promise.all(
    Object.entries(PINS).map(async ([name, { package: published, version: pinned }]) => {
      const newest = await newestVersion(published);
      return newest !== undefined && compareVersions(newest, pinned) > 0 ? [{ name, pinned, newest }] : [];
    }),
  );
  return found.flat();
}
