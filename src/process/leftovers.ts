import { lstatSync, readdirSync, readFileSync, realpathSync, rmdirSync } from "node:fs";
import { join } from "node:path";

/** How many runs in progress of this host may have made a directory. */
const claims = new Map<string, number>();

/**
 * The paths of these names that a run may leave in its directory: nothing is there yet, or only what another run in progress
 * may have made. They are to be looked for before the process is started.
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

/** The run that may leave these is in progress. */
export function claimLeftovers(paths: readonly string[]): void {
  for (const path of paths) claims.set(path, (claims.get(path) ?? 0) + 1);
}

/** The run that may have left these is over. */
export function releaseLeftovers(paths: readonly string[]): void {
  for (const path of paths) {
    const others = (claims.get(path) ?? 1) - 1;
    if (others > 0) claims.set(path, others);
    else claims.delete(path);
  }
}

/**
 * Removes those of the paths that are empty directories, in no sandbox's use and claimed by no run in progress; everything else
 * stays as it is.
 */
export function removeLeftovers(paths: readonly string[]): void {
  for (const path of paths) {
    // Mounts are looked for anew each time: a sandbox of another host may have begun meanwhile.
    if (claims.has(path) || !isEmptyDirectory(path) || mountPoints().has(toMountWord(path))) continue;
    try {
      rmdirSync(path);
    } catch {}
  }
}

/** A link to an empty directory is no directory. */
function isEmptyDirectory(path: string): boolean {
  try {
    return lstatSync(path).isDirectory() && readdirSync(path).length === 0;
  } catch {
    return false;
  }
}

/**
 * Every path on which a living process sees a mount. Linux lets anybody remove a directory on which another sandbox has mounted
 * something, and the mount is gone with it: a tool of that sandbox could then write what it must not (seen with Codex 0.166.0).
 */
function mountPoints(): ReadonlySet<string> {
  const found = new Set<string>();
  for (const pid of processIds()) {
    try {
      const table = readFileSync(`/proc/${pid}/mountinfo`, "utf8");
      for (const line of table.split("\n")) found.add(line.split(" ", 5)[4] ?? "");
    } catch {}
  }
  return found;
}

function processIds(): readonly string[] {
  try {
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

/** A path as mount tables write it. */
function toMountWord(path: string): string {
  return path.replace(/[ \t\n\\]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`);
}
