import { existsSync, readdirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { isJsonObject, type JsonObject, type JsonValue } from "../../spec/json.ts";
import type { ProjectStart } from "../../spec/provider/provider-facts.ts";
import { toVisibleText } from "../../spec/text.ts";
import { parseSettings, readBounded } from "./read-settings.ts";

/** A larger file is listed without a look at its settings. */
const MOST_BYTES = 1024 * 1024;
const MOST_NAMES = 8;
const LONGEST_NAME = 60;

type AgentPlace = { readonly cwd?: string; readonly addDirs?: readonly string[] };

/**
 * What the CLI would start in a project, one line for each place, such as `.claude/settings.json: hooks (SessionStart)`. The lines have no control
 * characters: their names are those of the project.
 */
export function scanProject(starts: readonly ProjectStart[], { cwd = ".", addDirs = [] }: AgentPlace): readonly string[] {
  const here = resolve(cwd);
  const folders = [...new Set([...projectFolders(here), ...addDirs.map((path) => resolve(here, path))])];
  const [wide, near] = [starts.filter(({ everyFolder }) => everyFolder), starts.filter(({ everyFolder }) => !everyFolder)];
  const linesOf = (places: readonly string[], among: readonly ProjectStart[]): readonly string[] =>
    places.flatMap((folder) => among.flatMap((start) => lineOf(start, folder, here) ?? []));
  return [...new Set([...linesOf(foldersAbove(here), wide), ...linesOf(folders, near)])];
}

function lineOf(start: ProjectStart, folder: string, here: string): string | undefined {
  const path = join(folder, "file" in start ? start.file : start.folder);
  const found = "file" in start ? settingsIn(path, start.keys) : entriesOf(path, start.ending);
  return found && projectLine(here, path, found);
}

/** The line for a place of the project and the visible names of what it starts. */
export function projectLine(here: string, path: string, found: readonly string[]): string {
  const place = shown(relative(here, path), 4 * LONGEST_NAME);
  return found.length === 0 ? place : `${place}: ${listOf(found)}`;
}

/** Empty for a file that counts as such, or that the CLI may read in another way; undefined if nothing is there. */
function settingsIn(path: string, keys: readonly string[] | undefined): readonly string[] | undefined {
  const text = readBounded(path, MOST_BYTES);
  if (text === undefined || text === "no-file") return undefined;
  if (text === "too-large" || keys === undefined) return [];
  const read = parseSettings(path, text.content);
  if ("problem" in read) return [];
  const { settings = {} } = read;
  const named = keys.flatMap((key) => settingOf(key, valueAt(settings, key)) ?? []);
  return named.length === 0 ? undefined : named;
}

function valueAt(settings: JsonObject, key: string): JsonValue | undefined {
  return key.split(".").reduce<JsonValue | undefined>((value, name) => (isJsonObject(value) ? value[name] : undefined), settings);
}

function settingOf(key: string, value: JsonValue | undefined): string | undefined {
  if (value === undefined || value === null || value === false || value === "") return undefined;
  if (typeof value !== "object") return key;
  const names = Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : Object.keys(value);
  if (Object.keys(value).length === 0) return undefined;
  return names.length === 0 ? key : `${key} (${listOf(names.map((name) => shown(name)))})`;
}

function entriesOf(folder: string, ending = ""): readonly string[] | undefined {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith(ending));
    return names.length === 0 ? undefined : names.toSorted().map((name) => shown(name));
  } catch {
    return undefined;
  }
}

function listOf(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  return names.slice(0, MOST_NAMES).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** A name of the project, short and without control characters. */
export function shown(name: string, length: number = LONGEST_NAME): string {
  const visible = toVisibleText(name.slice(0, length));
  return name.length > length ? `${visible}…` : visible;
}

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
function foldersAbove(cwd: string): readonly string[] {
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

export function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
