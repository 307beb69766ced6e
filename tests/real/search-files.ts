import { lstatSync, readdirSync, readFileSync, type Stats } from "node:fs";
import { join } from "node:path";

/** Larger files are libraries. */
const LARGEST = 8 * 1024 * 1024;

/** Where a search in a shared directory looks: at entries that are newer, and not below these. */
export type SearchBounds = { readonly startedAt: number; readonly except: readonly string[] };

/** The files below these directories that contain the text; links are not followed. */
export function filesWith(text: string, directories: readonly string[], bounds?: SearchBounds): readonly string[] {
  return directories.flatMap((directory) =>
    entriesOf(directory).flatMap(({ path, stats }) => {
      if (bounds !== undefined && (stats.mtimeMs < bounds.startedAt || bounds.except.includes(path))) return [];
      if (stats.isDirectory()) return filesWith(text, [path]);
      return stats.isFile() && stats.size <= LARGEST && contains(path, text) ? [path] : [];
    }),
  );
}

/** The files below a directory that other users could read, because every directory above them lets them in. */
export function readableByOthers(directory: string): readonly string[] {
  return entriesOf(directory).flatMap(({ path, stats }) => {
    if (stats.isDirectory()) return (stats.mode & 0o011) === 0 ? [] : readableByOthers(path);
    return stats.isFile() && (stats.mode & 0o044) !== 0 ? [path] : [];
  });
}

function entriesOf(directory: string): readonly { readonly path: string; readonly stats: Stats }[] {
  return namesIn(directory).flatMap((name) => {
    const path = join(directory, name);
    const stats = statQuietly(path);
    return stats === undefined ? [] : [{ path, stats }];
  });
}

/** Files of other programs come and go during a search. */
function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function statQuietly(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

function contains(path: string, text: string): boolean {
  try {
    return readFileSync(path, "latin1").includes(text);
  } catch {
    return false;
  }
}
