import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { devNull } from "node:os";
import { dirname, join, resolve } from "node:path";
import { thrownCode } from "../spec/failure/failure.ts";
import type { HomeFile, PrivateHome } from "../spec/provider/cli-data.ts";
import type { Surroundings } from "../spec/provider/provider-facts.ts";
import { placeIn } from "./host-directory.ts";
import { ownDirectory, replaceAtomically, replaceFile, stateDirectory } from "./state-directory.ts";

export type HomeToMove = {
  readonly env: Surroundings;
  readonly provider: string;
  readonly real: string;
  /** Files of the user's home to link; they need not exist yet. */
  readonly links: readonly string[];
  readonly files: readonly HomeFile[];
};

/**
 * A home for a CLI with links to its login and files of Coxswain, without any other file of the user. It is the same at every call;
 * concurrent calls are safe. Undefined if the system cannot create links and the home needs no files.
 */
export function privateHome({ env, provider, real, links, files }: HomeToMove): string | undefined {
  const path = ownDirectory(env, "homes", homeName({ provider, real }));
  mkdirSync(path, { recursive: true, mode: 0o700 });
  for (const file of files) putFile(placeIn(path, file.path), file.content);
  try {
    for (const link of links) putLink(placeIn(path, link), join(resolve(real), link));
    return path;
  } catch (error) {
    if (files.length === 0 && isUnlinkable(error)) return undefined;
    throw error;
  }
}

/** The path of the home that `privateHome` would return; it need not exist. */
export function privateHomePath(home: Pick<HomeToMove, "env" | "provider" | "real">): string {
  return join(stateDirectory(home.env), "homes", homeName(home));
}

function homeName({ provider, real }: Pick<HomeToMove, "provider" | "real">): string {
  return `${provider}-${createHash("sha256").update(resolve(real)).digest("hex").slice(0, 12)}`;
}

/** Windows allows links only with a privilege, and some file systems have no links. */
function isUnlinkable(error: unknown): boolean {
  const code = thrownCode(error);
  return code === "EPERM" || code === "ENOSYS" || code === "EOPNOTSUPP";
}

function putLink(path: string, target: string): void {
  const existing = lstatSync(path, { throwIfNoEntry: false });
  if (existing?.isSymbolicLink() === true && readlinkSync(path) === target) return;
  replaceAtomically(path, (temporary) => symlinkSync(target, temporary));
}

function putFile(path: string, content: string): void {
  const existing = lstatSync(path, { throwIfNoEntry: false });
  if (existing?.isFile() === true && readFileSync(path, "utf8") === content) return;
  replaceFile(path, content);
}

type RunHomeToMake = Pick<HomeToMove, "env" | "provider" | "real"> & {
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
