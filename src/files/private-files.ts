import { createHash, randomBytes } from "node:crypto";
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { devNull } from "node:os";
import { dirname, join, resolve, sep } from "node:path";
import { thrownCode } from "../spec/failure/thrown.ts";
import type { HomeFile, PrivateHome, TempFile } from "../spec/provider/launch-plan.ts";
import { makeRunDirectory, temporaryDirectory } from "./host-directory.ts";
import { removeQuietly } from "./remove-files.ts";
import { makeDirectory, ownDirectory, stateDirectory } from "./state-directory.ts";

/**
 * An empty directory with access for its owner only. It is the same at every call, so that sessions can be resumed in it. What
 * another program left there is moved to the directory `found` beside it.
 */
export function privateDirectory(env: Readonly<Record<string, string | undefined>>): string {
  const path = ownDirectory(env, "empty");
  const isEmpty = (entriesOf(path) ?? []).length === 0;
  const stray = isEmpty ? undefined : setStraysAside(path, join(dirname(path), "found"));
  if (stray !== undefined) throw new Error(`${path} must stay empty, but contains "${stray}"`);
  return path;
}

function entriesOf(path: string): readonly string[] | undefined {
  try {
    return readdirSync(path);
  } catch {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return undefined;
  }
}

export type HomeToMove = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly provider: string;
  /** The CLI home of the user. */
  readonly real: string;
  /** Files of the user's home to link; they need not exist yet. */
  readonly links: readonly string[];
  /** Files that Coxswain writes into the home. */
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

/** The path of a file in a directory; creates its parent folders. Throws if the path is outside the directory. */
function placeIn(directory: string, name: string): string {
  const path = join(directory, name);
  if (!path.startsWith(directory + sep)) throw new Error(`"${name}" is not below ${directory}`);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return path;
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

/** Writes a private file atomically: other processes see the old or the new content, never a part of it. */
export function replaceFile(path: string, content: string): void {
  makeDirectory(dirname(path));
  replaceAtomically(path, (temporary) => writeFileSync(temporary, content, { mode: 0o600, flag: "wx" }));
}

/** Creates a temporary file or link and renames it to `path`. If the host dies in between, an unused temporary file is left. */
function replaceAtomically(path: string, make: (temporary: string) => void): void {
  const temporary = `${path}.${process.pid}-${randomBytes(4).toString("hex")}`;
  try {
    make(temporary);
    renameSync(temporary, path);
  } catch (error) {
    removeQuietly([temporary]);
    throw error;
  }
}

/** Folders in the name of a file are created. */
export function writeTempFiles(directory: string, files: readonly TempFile[]): void {
  for (const { name, content, encoding = "utf8" } of files)
    writeFileSync(placeIn(directory, name), content, { mode: 0o600, encoding });
}

/** A file system gives space in blocks, so a block of this size shows whether a program could print one more byte. */
const PROBE_BYTES = 4096;

/** True if nothing can be written to the temporary directory, because its disk or the user's quota is full. */
export function isDiskFull(): boolean {
  const made: string[] = [];
  try {
    made.push(temporaryDirectory());
    writeTempFiles(made[0] ?? "", [{ name: "probe", content: "x".repeat(PROBE_BYTES) }]);
    return false;
  } catch (error) {
    const code = thrownCode(error);
    return code === "ENOSPC" || code === "EDQUOT";
  } finally {
    removeQuietly(made);
  }
}

/** The folders of one process, in one directory that is removed with it. */
export type RunFolders = {
  /** What has to be removed so far. */
  readonly made: readonly string[];
  /** Creates a folder with access for its owner only: the files of the plan, a home, or a directory for temporary files. */
  make(name: "files" | "home" | "tmp"): string;
};

/** The folders of the process of a run in the directory of its host; nothing is created before the first folder. */
export function runFolders(host: string, run: string): RunFolders {
  const made: string[] = [];
  return {
    made,
    make: (name) => {
      if (made.length === 0) made.push(makeRunDirectory(host, run));
      const path = join(made[0] ?? "", name);
      mkdirSync(path, { mode: 0o700 });
      return path;
    },
  };
}

type RunHomeToMake = {
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

/** How often a directory is emptied before it counts as one that another program keeps filling. */
const TRIES = 3;

/**
 * Empties a directory: what other programs left there, such as a core dump, is moved to the directory `found`, which then has only
 * this find. Returns the name of a stray that cannot be moved.
 */
export function setStraysAside(directory: string, found: string): string | undefined {
  for (let triesLeft = TRIES; triesLeft > 0; triesLeft -= 1) {
    const names = readdirSync(directory);
    if (names.length === 0) return undefined;
    moveAll(names, directory, found);
  }
  return readdirSync(directory)[0];
}

/** Other hosts may move the same strays at the same time, so each host has a directory of its own until it has moved something. */
function moveAll(names: readonly string[], from: string, found: string): void {
  const mine = `${found}-${process.pid}-${randomBytes(4).toString("hex")}`;
  if (!tried(() => mkdirSync(mine, { mode: 0o700 }))) return;
  const moved = names.filter((name) => tried(() => renameSync(join(from, name), join(mine, name))));
  if (moved.length === 0) return void tried(() => rmdirSync(mine));
  tried(() => {
    rmSync(found, { recursive: true, force: true });
    renameSync(mine, found);
  });
}

function tried(act: () => void): boolean {
  try {
    act();
    return true;
  } catch {
    return false;
  }
}
