import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import type { TempFile } from "../spec/launch-plan.ts";

/** Where Coxswain keeps what must outlive a run, by the conventions of the system. */
function stateDirectory(env: Readonly<Record<string, string | undefined>>): string {
  const home = env["HOME"] ?? env["USERPROFILE"] ?? homedir();
  const base = process.platform === "win32" ? env["LOCALAPPDATA"] : env["XDG_STATE_HOME"];
  return join(base || join(home, ".local", "state"), "coxswain");
}

/** An empty directory that nobody else may enter, the same at every call so that sessions can be resumed in it. */
export function privateDirectory(env: Readonly<Record<string, string | undefined>>): string {
  const path = join(stateDirectory(env), "empty");
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const stray = readdirSync(path)[0];
  if (stray !== undefined) throw new Error(`${path} must stay empty, but there is "${stray}" in it`);
  return path;
}

/** A directory for one run, readable by its owner alone. */
export function temporaryDirectory(): string {
  return mkdtempSync(join(tmpdir(), "coxswain-"));
}

/** Writes the files of one run into a directory of their own. */
export function writeTempFiles(files: readonly TempFile[]): string {
  const directory = temporaryDirectory();
  for (const { name, content } of files) writeFileSync(join(directory, name), content, { mode: 0o600 });
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
