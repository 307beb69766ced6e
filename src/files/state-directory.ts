import { existsSync, lstatSync, mkdirSync, rmSync, type Stats } from "node:fs";
import { homedir, userInfo } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { thrownCode } from "../spec/failure/thrown.ts";
import type { Surroundings } from "../spec/provider/provider.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The home directory of the user; a variable that is empty or relative names none. */
export function userHome(env: Environment): string {
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
export function stateDirectory(env: Environment): string {
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
export function ownDirectory(env: Environment, ...names: readonly string[]): string {
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

function pathsOf(env: Environment, names: readonly string[]): readonly string[] {
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
