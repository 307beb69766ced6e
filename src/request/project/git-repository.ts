import { existsSync, readdirSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { readBounded } from "./read-bounded.ts";

/** A repository in whose configuration a command of git may look. */
export type GitRepository = {
  /** The configuration files that belong to the repository, not to the user. */
  readonly configs: readonly string[];
  readonly hooks: string;
  /** The folder with the working tree. */
  readonly place: string;
  /** The folder itself is the repository, without a working tree. */
  readonly isBare: boolean;
};

/**
 * The repositories of a folder and of those above it. Git goes on upwards when `.git` is none that it accepts, so all of them count.
 */
export function findRepositories(folder: string): readonly GitRepository[] {
  const found: GitRepository[] = [];
  for (let place = folder; ; place = dirname(place)) {
    found.push(...repositoryIn(place));
    if (place === dirname(place)) return found;
  }
}

function repositoryIn(place: string): readonly GitRepository[] {
  const linked = linkedDirectory(join(place, ".git"));
  const directory = linked ?? (existsSync(join(place, ".git", "HEAD")) ? join(place, ".git") : undefined);
  if (directory !== undefined) return [repositoryAt(directory, place, false)];
  return isBareRepository(place) ? [repositoryAt(place, place, true)] : [];
}

/** A walk of this many folders takes about 10 ms. */
const MOST_FOLDERS = 500;

/** The repositories in the folders of a project, the upper ones first. A clone brings none: they are submodules, or come from an archive. */
export function findInnerRepositories(root: string): readonly GitRepository[] {
  const folders = [root];
  for (let index = 0; index < folders.length && index < MOST_FOLDERS; index++) {
    const folder = folders[index] ?? "";
    const names = directoriesIn(folder).filter((name) => name !== ".git");
    folders.push(...names.slice(0, MOST_FOLDERS).map((name) => join(folder, name)));
  }
  return folders.slice(1, MOST_FOLDERS).flatMap((folder) => repositoryIn(folder));
}

function directoriesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  } catch {
    return [];
  }
}

function isBareRepository(place: string): boolean {
  return ["HEAD", "objects", "refs"].every((name) => existsSync(join(place, name)));
}

/** In a worktree and a submodule `.git` is a file that names the directory. */
function linkedDirectory(path: string): string | undefined {
  const text = readBounded(path, MOST_LINK_BYTES);
  if (typeof text !== "object") return undefined;
  const target = /^gitdir: (.+?)\s*$/s.exec(text.content)?.[1];
  return target === undefined ? undefined : from(dirname(path), target);
}

const MOST_LINK_BYTES = 8192;

function repositoryAt(directory: string, place: string, isBare: boolean): GitRepository {
  const text = readBounded(join(directory, "commondir"), MOST_LINK_BYTES);
  const common = typeof text === "object" ? from(directory, text.content.trim()) : directory;
  const worktrees = entriesOf(join(common, "worktrees")).map((name) => join(common, "worktrees", name));
  const configs = [
    join(common, "config"),
    ...[...new Set([common, directory, ...worktrees])].map((at) => join(at, "config.worktree")),
  ];
  return { configs, hooks: join(common, "hooks"), place, isBare };
}

function from(base: string, path: string): string {
  return isAbsolute(path) ? path : join(base, path);
}

/** The programs of a hooks folder; git's samples do not count. */
export function hooksIn(folder: string): readonly string[] {
  return entriesOf(folder).filter((name) => !name.endsWith(".sample") && /^[a-z][a-z0-9-]*$/.test(name));
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}
