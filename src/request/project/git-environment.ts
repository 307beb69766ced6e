import { userHome } from "../../files/state-directory.ts";
import { readVariable, type Surroundings } from "../../spec/provider/connection.ts";
import type { PromptRequest } from "../../spec/request.ts";
import { type GitGuard, guardGit, isInBareRepository } from "./git-guard.ts";
import type { GitOverride } from "./git-programs.ts";

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
export function gitEnvironment(request: PromptRequest, inherited: Surroundings): Readonly<Record<string, string>> {
  if (request.mode !== "agent" || request.trustProject === true) return {};
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

/** What git would start in an untrusted project; undefined if all of it may start. With `bypass` the programs of `.git` start: a clone brings none. */
export function gitGuardOf(request: PromptRequest, inherited: Surroundings): GitGuard | undefined {
  const { mode, trustProject, permissions } = request;
  if (mode !== "agent" || trustProject === true || permissions?.mode === "bypass") return undefined;
  const env = { ...inherited, ...request.env };
  const changesFolder = (permissions?.allow ?? []).length > 0;
  const guard = guardGit({ ...request, changesFolder }, env, userHome(env));
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
