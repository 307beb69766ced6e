import { join, resolve } from "node:path";
import type { Surroundings } from "../../spec/provider/connection.ts";
import { type GitEntry, readGitConfig } from "./git-config.ts";
import { type GitOverride, overridesFor, programRule } from "./git-programs.ts";
import { findInnerRepositories, findRepositories, type GitRepository, hooksIn } from "./git-repository.ts";
import { type AgentPlace, projectLine, shown } from "./scan-project.ts";

/** What keeps git from programs of the repositories around an agent. */
export type GitGuard = {
  readonly overrides: readonly GitOverride[];
  /** The programs that are off, one line for each file. */
  readonly lines: readonly string[];
  /** Why what git reads cannot be judged. */
  readonly problem?: string;
};

/** An agent, and whether commands of git that the request allows can also run in a folder below: `cd inner`, then `git diff`. */
export type GuardedAgent = AgentPlace & { readonly changesFolder: boolean };

/** Reads the configuration of the repositories as data; git itself is not started. */
export function guardGit(agent: GuardedAgent, env: Surroundings, userHome: string): GitGuard {
  const { cwd = ".", addDirs = [], changesFolder } = agent;
  const here = resolve(cwd);
  const above = [here, ...addDirs.map((path) => resolve(here, path))].flatMap((folder) => findRepositories(folder));
  const inner = changesFolder ? findInnerRepositories(above[0]?.place ?? here) : [];
  const repositories = [...above, ...inner];
  const read = repositories.map((repository) => readRepository(repository, here, userHome));
  const entries = read.flatMap((one) => one.entries);
  const overrides = overridesFor(entries, readUser(env, userHome));
  const unread = read.flatMap((one) => one.unread)[0];
  const problem = unread === undefined ? nameProblem(entries) : `${shown(unread, LONGEST_PATH)} cannot be read`;
  const lines = [...new Set(read.flatMap((one) => one.lines))];
  return { overrides, lines, ...(problem !== undefined && { problem }) };
}

const LONGEST_PATH = 240;

/** True if the first repository that git finds from this folder upwards has no working tree. */
export function isInBareRepository(folder: string): boolean {
  return findRepositories(folder)[0]?.isBare === true;
}

type ReadRepository = {
  readonly entries: readonly GitEntry[];
  readonly lines: readonly string[];
  readonly unread: readonly string[];
};

function readRepository({ configs, hooks, place }: GitRepository, here: string, home: string): ReadRepository {
  const includes = { home, conditional: true };
  const files = configs.map((path) => ({ path, ...readGitConfig(path, includes) }));
  const lines = files.flatMap(({ path, entries }) => {
    const names = [...new Set(entries.filter(namesProgram).map(({ key }) => shown(key)))];
    return names.length === 0 ? [] : [projectLine(here, path, names)];
  });
  const programs = hooksIn(hooks);
  return {
    // A clone brings `.gitmodules`. Git reads nothing of it but `submodule.*`.
    entries: [...files, readGitConfig(join(place, ".gitmodules"), { home, conditional: false })].flatMap(
      ({ entries }) => entries,
    ),
    lines: programs.length === 0 ? lines : [...lines, projectLine(here, hooks, programs)],
    unread: files.flatMap(({ unread = [] }) => unread),
  };
}

/** `core.fsmonitor` as a truth value starts a program of git, not of the repository. */
function namesProgram({ key, value }: GitEntry): boolean {
  const rule = programRule(key);
  if (rule === undefined || rule.leadsElsewhere === true || value === "") return false;
  return key !== "core.fsmonitor" || !/^(?:true|false|yes|no|on|off|0|1)$/i.test(value);
}

/** A name that is no UTF-8 cannot be a part of a variable of a child process. */
function nameProblem(entries: readonly GitEntry[]): string | undefined {
  const odd = entries.find(({ key }) => key.includes("\uFFFD") && programRule(key) !== undefined);
  return odd && `${shown(odd.key)} is no valid text`;
}

/** The settings of the user and of the system. A value whose condition depends on the repository does not count. */
function readUser(env: Surroundings, home: string): readonly GitEntry[] {
  const { GIT_CONFIG_GLOBAL, GIT_CONFIG_SYSTEM = "/etc/gitconfig", GIT_CONFIG_NOSYSTEM, XDG_CONFIG_HOME } = env;
  const xdg = XDG_CONFIG_HOME === undefined || XDG_CONFIG_HOME === "" ? join(home, ".config") : XDG_CONFIG_HOME;
  const system = GIT_CONFIG_NOSYSTEM === undefined ? [GIT_CONFIG_SYSTEM] : [];
  const global = GIT_CONFIG_GLOBAL === undefined ? [join(xdg, "git", "config"), join(home, ".gitconfig")] : [GIT_CONFIG_GLOBAL];
  return [...system, ...global].flatMap((path) => readGitConfig(path, { home, conditional: false }).entries);
}
