import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { devNull } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { PrivateHome } from "../spec/launch-plan.ts";
import { privateHome, temporaryDirectory } from "./private-files.ts";

/** Whose home is made for one run. */
export type RunHomeToMake = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly provider: string;
  /** The home that the CLI would have had. */
  readonly real: string;
  readonly home: PrivateHome;
  /** What is made is added to these as soon as it is there, to be removed after the run. */
  readonly made: string[];
};

/** A home for one run: links to the login, files of ours, folders that outlive the run, and nothing else. */
export function makeRunHome({ env, provider, real, home, made }: RunHomeToMake): string {
  const directory = temporaryDirectory();
  made.push(directory);
  const place = (name: string): string => {
    const path = join(directory, name);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    return path;
  };
  for (const { path, content } of home.files ?? []) writeFileSync(place(path), content, { mode: 0o600 });
  for (const link of home.links) symlinkSync(join(resolve(real), link), place(link));
  for (const sink of home.sinks ?? []) symlinkSync(devNull, place(sink));
  const kept = home.kept ?? [];
  const lasting = kept.length === 0 ? undefined : privateHome({ env, provider, real, links: [], files: [] });
  for (const folder of lasting === undefined ? [] : kept) {
    mkdirSync(join(lasting ?? "", folder), { recursive: true, mode: 0o700 });
    symlinkSync(join(lasting ?? "", folder), place(folder));
  }
  return directory;
}
