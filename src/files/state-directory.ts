import { randomBytes } from "node:crypto";
import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, type Stats, writeFileSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { thrownCode } from "../spec/failure/failure.ts";
import type { Surroundings } from "../spec/provider/provider-facts.ts";

/** The home directory of the user; a variable that is empty or relative names none. */
export function userHome(env: Surroundings): string {
  return [env["HOME"], env["USERPROFILE"], homedir()].find(isPlace) ?? homeOfAccount();
}

function homeOfAccount(): string {
  try {
    return userInfo().homedir;
  } catch {
    return NO_HOME;
  }
}

/** A user id without an account has no home; the attempt to create this directory fails and names it. */
const NO_HOME = "/nonexistent";

function isPlace(path: string | undefined): path is string {
  return path !== undefined && isAbsolute(path);
}

/** The directory for data that outlives a run, by the conventions of the system. It may not exist, or belong to somebody else. */
export function stateDirectory(env: Surroundings): string {
  const base = process.platform === "win32" ? env["LOCALAPPDATA"] : env["XDG_STATE_HOME"];
  return join(isPlace(base) ? base : join(userHome(env), ".local", "state"), "coxswain");
}

/** The error of a state directory that cannot be created or that another user could change, with what to do about it. */
export class UnusableDirectory extends Error {
  readonly hint: string;

  constructor(path: string, problem: string, hint: string) {
    super(`${path} ${problem}`);
    this.hint = hint;
  }
}

/**
 * Creates a folder of the state directory and returns its path. Throws an UnusableDirectory if the folder or one above it, up to the
 * state directory, cannot be created, belongs to another user, can be written by others or is a symbolic link.
 */
export function ownDirectory(env: Surroundings, ...names: readonly string[]): string {
  return pathsOf(env, names).reduce((_, path) => {
    if (!checked.has(path) || !existsSync(path)) makeOwn(path);
    return path;
  }, "");
}

/** False if `ownDirectory` would refuse this state directory; it need not exist. */
export function isOwnState(state: string): boolean {
  if (checked.has(state)) return true;
  try {
    const stats = lstatSync(state, { throwIfNoEntry: false });
    if (stats === undefined) return true;
    if (problemOf(state, stats) !== undefined) return false;
  } catch {
    return false;
  }
  checked.add(state);
  return true;
}

/** Directories that passed; each is checked once per process, because other users cannot change them. One that was deleted is made again. */
const checked = new Set<string>();

function pathsOf(env: Surroundings, names: readonly string[]): readonly string[] {
  const state = stateDirectory(env);
  return [state, ...names.map((_, index) => join(state, ...names.slice(0, index + 1)))];
}

function makeOwn(path: string): void {
  try {
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) makeDirectory(path);
  } catch (error) {
    throw new UnusableDirectory(path, `cannot be created (${thrownCode(error) ?? "UNKNOWN"})`, ELSEWHERE);
  }
  const problem = problemOf(path, lstatSync(path));
  if (problem !== undefined) throw problem;
  checked.add(path);
}

/**
 * Creates a private directory and those above it, unless it exists. The recursive mkdir of Node never returns if the system refuses a
 * directory with ENOENT, as /proc does.
 */
export function makeDirectory(path: string): void {
  if (existsSync(path)) return;
  if (dirname(path) !== path) makeDirectory(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process has created it.
    if (thrownCode(error) !== "EEXIST") throw error;
  }
}

const ELSEWHERE = "Set XDG_STATE_HOME to a directory of your own.";

function problemOf(path: string, stats: Stats): UnusableDirectory | undefined {
  const remove = "Remove it, or set XDG_STATE_HOME to a directory of your own.";
  if (stats.isSymbolicLink()) return new UnusableDirectory(path, "is a symbolic link", remove);
  if (!stats.isDirectory()) return new UnusableDirectory(path, "is not a directory", remove);
  const user = process.getuid?.();
  if (user === undefined) return undefined;
  if (stats.uid !== user) {
    const hint = "Run Coxswain as that user, or set XDG_STATE_HOME to a directory of your own.";
    return new UnusableDirectory(path, `belongs to another user (${stats.uid}, not ${user})`, hint);
  }
  if ((stats.mode & 0o022) === 0) return undefined;
  const mode = (stats.mode & 0o777).toString(8);
  return new UnusableDirectory(
    path,
    `can be written by other users (mode ${mode})`,
    `Run chmod 700 ${path}, if its files are yours.`,
  );
}

/**
 * The variable that makes Node keep compiled code on disk, which saves a CLI written in Node a quarter of the work of a start.
 * The cache is deleted once a month, because removed versions leave their files in it.
 */
export function compileCache(env: Surroundings, now: Date = new Date()): Readonly<Record<string, string>> {
  if (env["NODE_COMPILE_CACHE"]) return {};
  try {
    const month = now.toISOString().slice(0, 7);
    const all = ownDirectory(env, "compiled");
    if (!existsSync(join(all, month))) {
      rmSync(all, { recursive: true, force: true });
      mkdirSync(join(all, month), { recursive: true, mode: 0o700 });
    }
    return { NODE_COMPILE_CACHE: ownDirectory(env, "compiled", month) };
  } catch {
    return {};
  }
}

/** Writes a private file atomically: other processes see the old or the new content, never a part of it. */
export function replaceFile(path: string, content: string): void {
  makeDirectory(dirname(path));
  replaceAtomically(path, (temporary) => writeFileSync(temporary, content, { mode: 0o600, flag: "wx" }));
}

/** Creates a temporary file or link and renames it to `path`. If the host dies in between, an unused temporary file is left. */
export function replaceAtomically(path: string, make: (temporary: string) => void): void {
  const temporary = `${path}.${process.pid}-${randomBytes(4).toString("hex")}`;
  try {
    make(temporary);
    renameSync(temporary, path);
  } catch (error) {
    tried(() => rmSync(temporary, { force: true }));
    throw error;
  }
}

/**
 * An empty directory with access for its owner only. It is the same at every call, so that sessions can be resumed in it. What
 * another program left there is moved to the directory `found` beside it.
 */
export function privateDirectory(env: Surroundings): string {
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
