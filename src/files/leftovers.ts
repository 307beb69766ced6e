import { chmodSync, lstatSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { namesIn } from "../process/tree/process-table.ts";
import { isHostName, removeIfEmpty } from "./host-directory.ts";

/** A process that is being stopped may create a file in a directory while it is removed. */
const REMOVAL_TRIES = 5;

const ALL = { recursive: true, force: true };

/**
 * Removes files and directories; errors are ignored, because a run must not fail in its cleanup. A link is removed, never what it names.
 * The directory of a host goes with the last entry in it.
 */
export function removeQuietly(paths: readonly string[]): void {
  for (const path of paths) {
    for (let triesLeft = REMOVAL_TRIES; triesLeft > 0; triesLeft -= 1) {
      try {
        rmSync(path, ALL);
        break;
      } catch {
        openDirectories(path);
      }
    }
    leaveHostDirectory(path);
  }
}

/** As `removeQuietly`, but in the background: the tools of an agent may leave thousands of files. */
export async function removeSoon(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    for (let triesLeft = REMOVAL_TRIES; triesLeft > 0; triesLeft -= 1) {
      try {
        await rm(path, ALL);
        break;
      } catch {
        openDirectories(path);
      }
    }
    leaveHostDirectory(path);
  }
}

/** Some tools make directories without write permission; Go does so with downloaded modules. */
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
  if (isHostName(basename(host))) removeIfEmpty(host);
}

/** For each path, the number of runs in progress in this host that may have created it. */
const claims = new Map<string, number>();

/**
 * The paths of these names that do not exist yet, or that another run in progress may have created: only these may be removed after
 * the run. Call it before the process is started.
 */
export function findLeftoverPaths(directory: string, names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  try {
    const real = realpathSync(directory);
    const paths = names.map((name) => join(real, name));
    return paths.filter((path) => claims.has(path) || lstatSync(path, { throwIfNoEntry: false }) === undefined);
  } catch {
    return [];
  }
}

export function claimLeftovers(paths: readonly string[]): void {
  for (const path of paths) claims.set(path, (claims.get(path) ?? 0) + 1);
}

export function releaseLeftovers(paths: readonly string[]): void {
  for (const path of paths) {
    const others = (claims.get(path) ?? 1) - 1;
    if (others > 0) claims.set(path, others);
    else claims.delete(path);
  }
}

/**
 * Removes the paths that are empty directories, are no mount point of a sandbox and belong to no run in progress; leaves all
 * others unchanged.
 */
export function removeLeftovers(paths: readonly string[]): void {
  for (const path of paths) {
    // Mounts are read again for each path: a sandbox of another host may have started meanwhile.
    if (!claims.has(path) && isEmptyDirectory(path) && !mountPoints().has(toMountPath(path))) removeIfEmpty(path);
  }
}

/** False for a link to an empty directory. */
function isEmptyDirectory(path: string): boolean {
  try {
    return lstatSync(path).isDirectory() && readdirSync(path).length === 0;
  } catch {
    return false;
  }
}

/**
 * The mount points of all living processes. Linux allows removing a directory that is a mount point in another sandbox, and that
 * removes the mount too: a tool of the sandbox could then write to a protected path (seen with Codex 0.166.0).
 */
function mountPoints(): ReadonlySet<string> {
  const found = new Set<string>();
  for (const pid of namesIn("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const table = readFileSync(`/proc/${pid}/mountinfo`, "utf8");
      for (const line of table.split("\n")) found.add(line.split(" ", 5)[4] ?? "");
    } catch {}
  }
  return found;
}

/** The path with the escapes of /proc/<pid>/mountinfo. */
function toMountPath(path: string): string {
  return path.replace(/[ \t\n\\]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`);
}
