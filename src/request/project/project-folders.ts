import { existsSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

/** The folders of a project, the given one first: up to the root of its repository; outside of a repository the given one alone. */
export function projectFolders(cwd: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    folders.push(folder);
    if (isRepository(folder)) return folders;
    if (folder === dirname(folder)) return [cwd];
  }
}

/** The given folder and every one above it, without the user's home, whose files are the user's own. */
export function foldersAbove(cwd: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (folder !== homedir()) folders.push(folder);
    if (folder === dirname(folder)) return folders;
  }
}

/** In a worktree and a submodule `.git` is a file. */
function isRepository(folder: string): boolean {
  return existsSync(join(folder, ".git", "HEAD")) || isFile(join(folder, ".git"));
}

/** True if the path names a file, also by a link. */
export function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
