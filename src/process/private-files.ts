import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { TempFile } from "../spec/launch-plan.ts";

/** The home directory of the user. */
export function userHome(env: Readonly<Record<string, string | undefined>>): string {
  return env["HOME"] ?? env["USERPROFILE"] ?? homedir();
}

/** Where Coxswain keeps what must outlive a run, by the conventions of the system. */
function stateDirectory(env: Readonly<Record<string, string | undefined>>): string {
  const base = process.platform === "win32" ? env["LOCALAPPDATA"] : env["XDG_STATE_HOME"];
  return join(base || join(userHome(env), ".local", "state"), "coxswain");
}

/** An empty directory that nobody else may enter, the same at every call so that sessions can be resumed in it. */
export function privateDirectory(env: Readonly<Record<string, string | undefined>>): string {
  const path = join(stateDirectory(env), "empty");
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const stray = readdirSync(path)[0];
  if (stray !== undefined) throw new Error(`${path} must stay empty, but there is "${stray}" in it`);
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
};

/** A home for a CLI that holds links to its login and nothing else of the user's, the same at every call; undefined where files cannot be linked. */
export function privateHome({ env, provider, real, links }: HomeToMove): string | undefined {
  const name = `${provider}-${createHash("sha256").update(resolve(real)).digest("hex").slice(0, 12)}`;
  const path = join(stateDirectory(env), "homes", name);
  mkdirSync(path, { recursive: true, mode: 0o700 });
  try {
    for (const link of links) linkTo(join(resolve(real), link), join(path, link));
    return path;
  } catch {
    return undefined;
  }
}

function linkTo(target: string, path: string): void {
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (there?.isSymbolicLink() === true && readlinkSync(path) === target) return;
  if (there !== undefined) rmSync(path);
  symlinkSync(target, path);
}

/** A directory for one run, readable by its owner alone. */
export function temporaryDirectory(): string {
  return mkdtempSync(join(tmpdir(), "coxswain-"));
}

/** Writes the files of one run into a directory of their own. */
export function writeTempFiles(files: readonly TempFile[]): string {
  const directory = temporaryDirectory();
  for (const { name, content, encoding = "utf8" } of files)
    writeFileSync(join(directory, name), content, { mode: 0o600, encoding });
  return directory;
}

/** Removes files and directories as far as the system lets us; a run never fails because of what it could not tidy up. */
export function removeQuietly(paths: readonly string[]): void {
  for (const path of paths) {
    try {
      rmSync(path, { recursive: true, force: true });
    } catch {}
  }
}
