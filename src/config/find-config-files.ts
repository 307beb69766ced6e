import { existsSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { ProviderOrigin } from "../spec/provider-facts.ts";

/** The name of a project's configuration file. */
const PROJECT_FILE = "coxswain.config.json";

/** The user's configuration file, and the nearest of the project up to the repository's root; outside of one only in `cwd`. */
export function findConfigFiles(cwd: string, env: Readonly<Record<string, string | undefined>>): readonly ProviderOrigin[] {
  const user = userFile(env);
  const project = projectFolders(resolve(cwd))
    .map((folder) => join(folder, PROJECT_FILE))
    .find(isFile);
  return [
    ...(isFile(user) ? [{ path: user, scope: "user" } as const] : []),
    ...(project === undefined ? [] : [{ path: project, scope: "project" } as const]),
  ];
}

function userFile(env: Readonly<Record<string, string | undefined>>): string {
  const home = env["HOME"] || env["USERPROFILE"] || homedir();
  const base = process.platform === "win32" ? env["APPDATA"] : env["XDG_CONFIG_HOME"];
  return join(base || join(home, ".config"), "coxswain", "config.json");
}

function projectFolders(cwd: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    folders.push(folder);
    if (isRepository(folder)) return folders;
    if (folder === dirname(folder)) return [cwd];
  }
}

/** In a worktree and a submodule `.git` is a file. */
function isRepository(folder: string): boolean {
  return existsSync(join(folder, ".git", "HEAD")) || isFile(join(folder, ".git"));
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
