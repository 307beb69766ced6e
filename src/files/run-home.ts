import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { devNull } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { PrivateHome } from "../spec/provider/launch-plan.ts";
import { privateHome } from "./private-files.ts";

/** What the home of one run is made of. */
export type RunHomeToMake = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly provider: string;
  /** The CLI home of the user. */
  readonly real: string;
  readonly home: PrivateHome;
  /** Where the home is made; it is removed after the run. */
  readonly directory: string;
};

/** Fills the home of one run with links to the login, files of Coxswain and the folders that outlive the run. */
export function makeRunHome({ env, provider, real, home, directory }: RunHomeToMake): void {
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
}
