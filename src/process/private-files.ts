import { createHash, randomBytes } from "node:crypto";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join, resolve, sep } from "node:path";
import type { HomeFile, TempFile } from "../spec/launch-plan.ts";

/** The home directory of the user. */
export function userHome(env: Readonly<Record<string, string | undefined>>): string {
  return env["HOME"] ?? env["USERPROFILE"] ?? homedir();
}

/** Where Coxswain keeps what must outlive a run, by the conventions of the system. */
export function stateDirectory(env: Readonly<Record<string, string | undefined>>): string {
  const base = process.platform === "win32" ? env["LOCALAPPDATA"] : env["XDG_STATE_HOME"];
  return join(base || join(userHome(env), ".local", "state"), "coxswain");
}

/** An empty directory that nobody else may enter, the same at every call so that sessions can be resumed in it. */
export function privateDirectory(env: Readonly<Record<string, string | undefined>>): string {
  const path = join(stateDirectory(env), "empty");
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const stray = readdirSync(path)[0];
  if (stray !== undefined) throw new Error(`${path} must stay empty, but contains "${stray}"`);
  return path;
}

/** Whose home is made anew. */
export type HomeToMove = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly provider: string;
  /** The home that the CLI would have had. */
  readonly real: string;
  /** Files of it that are linked in, whether they exist yet or not. */
  readonly links: readonly string[];
  /** Files of ours that it holds besides. */
  readonly files: readonly HomeFile[];
};

/**
 * A home for a CLI that holds links to its login, files of ours and nothing else of the user's, the same at every call, however
 * many are made at once. Undefined where the system has no links, unless files of ours were to be in it.
 */
export function privateHome({ env, provider, real, links, files }: HomeToMove): string | undefined {
  const name = `${provider}-${createHash("sha256").update(resolve(real)).digest("hex").slice(0, 12)}`;
  const path = join(stateDirectory(env), "homes", name);
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

/** Windows keeps links for the privileged, and some file systems have none. */
function isUnlinkable(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "EPERM" || code === "ENOSYS" || code === "EOPNOTSUPP";
}

/** The place of a file in a directory, with the folders on the way to it. */
function placeIn(directory: string, name: string): string {
  const path = join(directory, name);
  if (!path.startsWith(directory + sep)) throw new Error(`"${name}" is not below ${directory}`);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return path;
}

function putLink(path: string, target: string): void {
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (there?.isSymbolicLink() === true && readlinkSync(path) === target) return;
  putAtOnce(path, (beside) => symlinkSync(target, beside));
}

function putFile(path: string, content: string): void {
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (there?.isFile() === true && readFileSync(path, "utf8") === content) return;
  replaceFile(path, content);
}

/** Writes a private file in one step: other processes find the old one or the new one, never a half or nothing. */
export function replaceFile(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  putAtOnce(path, (beside) => writeFileSync(beside, content, { mode: 0o600, flag: "wx" }));
}

/** What was there is replaced in one step. A host that dies in between leaves the file beside, which nobody reads. */
function putAtOnce(path: string, make: (beside: string) => void): void {
  const beside = `${path}.${process.pid}-${randomBytes(4).toString("hex")}`;
  try {
    make(beside);
    renameSync(beside, path);
  } catch (error) {
    removeQuietly([beside]);
    throw error;
  }
}

/** A directory for one run, readable by its owner alone. */
export function temporaryDirectory(): string {
  return mkdtempSync(join(tmpdir(), "coxswain-"));
}

/** Writes the files of one run into a directory of their own; a name may hold folders, which are made. */
export function writeTempFiles(files: readonly TempFile[]): string {
  const directory = temporaryDirectory();
  for (const { name, content, encoding = "utf8" } of files)
    writeFileSync(placeIn(directory, name), content, { mode: 0o600, encoding });
  return directory;
}

/** Removes files and directories as far as the system lets us; a run never fails because of what it could not tidy up. */
export function removeQuietly(paths: readonly string[]): void {
  for (const path of paths) {
    for (let triesLeft = REMOVAL_TRIES; triesLeft > 0; triesLeft -= 1) if (remove(path)) break;
  }
}

/** A process that is being stopped may write a file into a directory while it is emptied. */
const REMOVAL_TRIES = 5;

function remove(path: string): boolean {
  try {
    rmSync(path, { recursive: true, force: true });
    return true;
  } catch {
    return false;
  }
}
