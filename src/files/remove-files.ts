import { chmodSync, lstatSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isHostName } from "./host-directory.ts";

/** A process that is being stopped may create a file in a directory while it is removed. */
const REMOVAL_TRIES = 5;

/**
 * Removes files and directories; errors are ignored, because a run must not fail in its cleanup. A link is removed, never what it names.
 * The directory of a host goes with the last entry in it.
 */
export function removeQuietly(paths: readonly string[]): void {
  for (const path of paths) {
    for (let triesLeft = REMOVAL_TRIES; triesLeft > 0; triesLeft -= 1) if (remove(path)) break;
    leaveHostDirectory(path);
  }
}

/** As `removeQuietly`, but in the background: the tools of an agent may leave thousands of files. */
export async function removeSoon(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    for (let triesLeft = REMOVAL_TRIES; triesLeft > 0; triesLeft -= 1) if (await removeAsync(path)) break;
    leaveHostDirectory(path);
  }
}

function remove(path: string): boolean {
  try {
    rmSync(path, { recursive: true, force: true });
    return true;
  } catch {
    openDirectories(path);
    return false;
  }
}

async function removeAsync(path: string): Promise<boolean> {
  try {
    await rm(path, { recursive: true, force: true });
    return true;
  } catch {
    openDirectories(path);
    return false;
  }
}

/** Some tools make directories that nobody may change; Go does so with downloaded modules. */
function openDirectories(path: string): void {
  try {
    if (!lstatSync(path).isDirectory()) return;
    chmodSync(path, 0o700);
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      if (entry.isDirectory()) openDirectories(join(path, entry.name));
    }
  } catch {}
}

function leaveHostDirectory(path: string): void {
  const host = dirname(path);
  if (!isHostName(basename(host))) return;
  try {
    rmdirSync(host);
  } catch {
    // It still has another entry.
  }
}
