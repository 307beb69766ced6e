import { realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { userHome } from "../../files/state-directory.ts";
import { createFailure, type Failure } from "../../spec/failure/failure.ts";
import { deniesWriting } from "../../spec/fields.ts";
import { readVariable } from "../../spec/provider/cli-data.ts";
import type { Provider } from "../../spec/provider/provider.ts";
import type { Surroundings } from "../../spec/provider/provider-facts.ts";
import type { PromptRequest } from "../../spec/request.ts";
import type { Notice } from "../../spec/wire/events.ts";
import {
  findInnerRepositories,
  findRepositories,
  type GitEntry,
  type GitRepository,
  hooksIn,
  readGitConfig,
} from "./git-config.ts";
import { type GitOverride, overridesFor, programRule } from "./git-programs.ts";
import { projectLine, scanProject, shown } from "./scan-project.ts";

const HOW_TO_TRUST = "If you trust the project, set trustProject to true (cox: --trust-project).";

export function checkProject(provider: Provider, request: PromptRequest, env: Surroundings): Failure | undefined {
  if (isTrusted(request)) return undefined;
  const problem = gitGuardOf(request, env)?.problem;
  if (problem !== undefined) {
    const message = `The programs that git's configuration of this project names cannot be kept from starting: ${problem}.`;
    return createFailure("option-unsupported", message, { hint: HOW_TO_TRUST });
  }
  const unavoidable = (provider.projectStarts ?? []).filter((start) => start.unavoidable === true);
  const found = scanProject(unavoidable, request);
  if (found.length === 0) return undefined;
  const message = `${provider.label} cannot be kept from starting what this project names: ${found.join("; ")}.`;
  return createFailure("option-unsupported", message, { hint: HOW_TO_TRUST });
}

/** The warning about what an agent does not start, because the project is not trusted. */
export function warnOfProject(provider: Provider, request: PromptRequest, env: Surroundings): Notice | undefined {
  const found = projectPrograms(provider, request, env);
  if (found.length === 0) return undefined;
  const { label } = provider;
  const message = `${label} does not use what this project would start: ${found.join("; ")}. ${HOW_TO_TRUST}`;
  return { code: "project-not-trusted", message, setting: "trustProject" };
}

/** What an agent would start in its project if the project was trusted, one line for each place. */
export function projectPrograms({ projectStarts = [] }: Provider, request: PromptRequest, env: Surroundings): readonly string[] {
  if (isTrusted(request)) return [];
  return [...scanProject(projectStarts, request), ...(gitGuardOf(request, env)?.lines ?? [])];
}

/** A completion reads no project. */
function isTrusted({ mode, trustProject }: PromptRequest): boolean {
  return mode !== "agent" || trustProject === true;
}

/**
 * The request of an agent with the real path of its working directory. A process works there anyway, and a project is judged by the folders above it, which
 * the path of a link does not name.
 */
export function inRealDirectory(request: PromptRequest): PromptRequest {
  const { cwd } = request;
  if (typeof cwd !== "string") return request;
  try {
    const real = realpathSync(cwd);
    return real === cwd ? request : { ...request, cwd: real };
  } catch {
    // Validation says what is wrong with it.
    return request;
  }
}

/**
 * The settings that git takes before those of every file (`git -c`). `GIT_CONFIG_COUNT` does the same with a variable `GIT_CONFIG_KEY_n` for each setting.
 * Some CLIs keep variables with KEY in their name from commands, and git then fails.
 */
const SETTINGS = "GIT_CONFIG_PARAMETERS";

/** Linux takes 128 KiB for one variable. */
const MOST_CHARACTERS = 100_000;

/** A clone can bring a folder that git takes for a repository without a working tree, with a configuration of its own. */
const NO_BARE: GitOverride = { key: "safe.barerepository", values: ["explicit"] };

/** The variables that keep git from starting what an untrusted project names (docs/decisions/0042-git-programs.md). */
export function gitEnvironment(request: PromptRequest, inherited: Surroundings = {}): Readonly<Record<string, string>> {
  if (isTrusted(request)) return {};
  const env = { ...inherited, ...request.env };
  const isBare = isInBareRepository(request.cwd ?? ".");
  const guard = gitGuardOf(request, inherited);
  const text = settingsText([...(isBare ? [] : [NO_BARE]), ...(guard?.overrides ?? [])]);
  const before = readVariable(env, SETTINGS)?.trim() ?? "";
  return {
    ...(text !== "" && { [SETTINGS]: before === "" ? text : `${before} ${text}` }),
    // Git takes the first `core.gitProxy`, but none if this variable is set.
    ...(guard !== undefined && { GIT_PAGER: "cat", GIT_PROXY_COMMAND: readVariable(env, "GIT_PROXY_COMMAND") ?? "" }),
  };
}

/**
 * What git would start in an untrusted project; undefined if all of it may start. With `bypass` the programs of `.git` start: a clone brings none. A
 * request for reading starts none, whatever its mode: Claude Code 2.1.197 itself runs `git status` at its start.
 */
export function gitGuardOf(request: PromptRequest, inherited: Surroundings): GitGuard | undefined {
  const { permissions = {} } = request;
  if (isTrusted(request) || (permissions.mode === "bypass" && !deniesWriting(permissions))) return undefined;
  const guard = guardGit(request, { ...inherited, ...request.env });
  if (guard.problem !== undefined || settingsText(guard.overrides).length <= MOST_CHARACTERS) return guard;
  return { ...guard, problem: "it names too many programs" };
}

function settingsText(overrides: readonly GitOverride[]): string {
  return overrides.flatMap(({ key, values }) => values.map((value) => settingText(key, value))).join(" ");
}

/** Git before 2.31 knows only the first form, in which a key cannot contain "=". */
function settingText(key: string, value: string): string {
  return key.includes("=") ? `${quoted(key)}=${quoted(value)}` : quoted(`${key}=${value}`);
}

function quoted(text: string): string {
  return `'${text.replace(/['!]/g, "'\\$&'")}'`;
}

/** What keeps git from programs of the repositories around an agent. */
type GitGuard = {
  readonly overrides: readonly GitOverride[];
  /** The programs that are off, one line for each file. */
  readonly lines: readonly string[];
  /** Why what git reads cannot be judged. */
  readonly problem?: string;
};

/** Reads the configuration of the repositories as data; git itself is not started. */
function guardGit({ cwd = ".", addDirs = [], permissions = {} }: PromptRequest, env: Surroundings): GitGuard {
  const home = userHome(env);
  const here = resolve(cwd);
  // Commands of git that the request allows can also run in a folder below: `cd inner`, then `git diff`.
  const changesFolder = (permissions.allow ?? []).length > 0;
  const above = [here, ...addDirs.map((path) => resolve(here, path))].flatMap((folder) => findRepositories(folder));
  const inner = changesFolder ? findInnerRepositories(above[0]?.place ?? here) : [];
  const repositories = [...above, ...inner];
  const read = repositories.map((repository) => readRepository(repository, here, home));
  const entries = read.flatMap((one) => one.entries);
  const overrides = overridesFor(entries, readUser(env, home));
  const unread = read.flatMap((one) => one.unread)[0];
  const problem = unread === undefined ? nameProblem(entries) : `${shown(unread, LONGEST_PATH)} cannot be read`;
  const lines = [...new Set(read.flatMap((one) => one.lines))];
  return { overrides, lines, ...(problem !== undefined && { problem }) };
}

const LONGEST_PATH = 240;

function isInBareRepository(folder: string): boolean {
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
