import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join, relative } from "node:path";

/** What lies below some folders: a path and its type, size, content or destination. */
export type Snapshot = ReadonlyMap<string, string>;

/** A difference between two snapshots. */
export type Change = { readonly path: string; readonly kind: "made" | "changed" | "removed" };

/** Reads what lies below folders; `leftOut` says which paths are not looked at. */
export function takeSnapshot(folders: readonly string[], leftOut: (path: string) => boolean): Snapshot {
  const found = new Map<string, string>();
  for (const folder of folders) visit(folder, leftOut, found);
  return found;
}

function visit(path: string, leftOut: (path: string) => boolean, found: Map<string, string>): void {
  if (leftOut(path)) return;
  try {
    const stats = lstatSync(path);
    if (stats.isDirectory()) {
      found.set(path, `folder ${stats.mode.toString(8)}`);
      for (const name of readdirSync(path)) visit(join(path, name), leftOut, found);
    } else if (stats.isSymbolicLink()) found.set(path, `link ${readlinkSync(path)}`);
    else if (stats.isFile()) found.set(path, `file ${stats.mode.toString(8)} ${stats.size} ${hashOf(path)}`);
    else found.set(path, `other ${stats.mode.toString(8)}`);
  } catch (error) {
    // A file of a process that still runs may vanish between the listing and the look.
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

function hashOf(path: string): string {
  return createHash("sha1").update(readFileSync(path)).digest("hex");
}

/** The differences of two snapshots. */
export function compareSnapshots(before: Snapshot, after: Snapshot): readonly Change[] {
  const changes: Change[] = [];
  for (const [path, entry] of after) {
    const earlier = before.get(path);
    if (earlier === undefined) changes.push({ path, kind: "made" });
    else if (earlier !== entry) changes.push({ path, kind: "changed" });
  }
  for (const path of before.keys()) if (!after.has(path)) changes.push({ path, kind: "removed" });
  return changes;
}

/** Of a new folder only the folder and not its content. */
export function topmost(changes: readonly Change[]): readonly Change[] {
  const made = new Set(changes.filter(({ kind }) => kind === "made").map(({ path }) => path));
  return changes.filter(({ path, kind }) => kind !== "made" || !made.has(join(path, "..")));
}

/** True for a path below a folder, or the folder itself. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === "" || !(way.startsWith("..") || way.startsWith("/"));
}
