import { existsSync, readdirSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { readBounded } from "./read-settings.ts";

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

/** A setting of git: `filter.name.clean`, with the section and the last part in small letters, as git compares them. */
export type GitEntry = { readonly key: string; readonly value: string };

/** The settings of a file and of those that it includes. */
type GitSettings = {
  readonly entries: readonly GitEntry[];
  /** A file that git reads and that cannot be judged. */
  readonly unread?: string;
};

const MOST_BYTES = 4 * 1024 * 1024;
/** The same limit as git's. */
const MOST_INCLUDES = 10;

/** Which files are included: a condition can become true later, so all of a project's, and of a user's only those without a condition. */
type Includes = { readonly home: string; readonly conditional: boolean };

export function readGitConfig(path: string, includes: Includes, depth = 0): GitSettings {
  const text = readBounded(path, MOST_BYTES);
  if (text === undefined) return { entries: [] };
  if (typeof text === "string") return { entries: [], unread: path };
  const own = parseGitConfig(text.content);
  const inner =
    depth === MOST_INCLUDES ? [] : includedFiles(own, path, includes).map((file) => readGitConfig(file, includes, depth + 1));
  const unread = inner.find((read) => read.unread !== undefined)?.unread;
  return { entries: [...own, ...inner.flatMap(({ entries }) => entries)], ...(unread !== undefined && { unread }) };
}

function includedFiles(entries: readonly GitEntry[], path: string, { home, conditional }: Includes): readonly string[] {
  const paths = entries.filter(({ key }) => key === "include.path" || (conditional && /^includeif\..*\.path$/s.test(key)));
  return paths.flatMap(({ value }) => {
    if (value === "") return [];
    if (value.startsWith("~/")) return [join(home, value.slice(2))];
    return [isAbsolute(value) ? value : join(dirname(path), value)];
  });
}

const HEADER = /\[([A-Za-z0-9.-]+)(?:[ \t\r]+"((?:[^"\\\n]|\\[^\n])*)")?\]/y;
const NAME = /([A-Za-z][A-Za-z0-9-]*)[ \t]*(=?)[ \t]*/y;

/** The settings in the text of a configuration file. What git would not read is passed over. */
export function parseGitConfig(text: string): readonly GitEntry[] {
  const source = text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  const entries: GitEntry[] = [];
  let section = "";
  for (let at = 0; at < source.length; ) {
    const header = matchAt(HEADER, source, at);
    const name = header === undefined ? matchAt(NAME, source, at) : undefined;
    if (header !== undefined) {
      section = sectionOf(header);
      at += header[0].length;
    } else if (name !== undefined) {
      const { value, end } =
        name[2] === "" ? { value: "true", end: at + name[0].length } : readValue(source, at + name[0].length);
      entries.push({ key: `${section}.${(name[1] ?? "").toLowerCase()}`, value });
      at = end;
    } else at = afterOther(source, at);
  }
  return entries;
}

function matchAt(pattern: RegExp, source: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(source) ?? undefined;
}

function sectionOf([, section = "", subsection]: RegExpExecArray): string {
  const name = section.toLowerCase();
  return subsection === undefined ? name : `${name}.${subsection.replace(/\\(.)/gs, "$1")}`;
}

/** Behind a comment, or behind one character: a header or a name may follow in the same line. */
function afterOther(source: string, at: number): number {
  if (source[at] !== "#" && source[at] !== ";") return at + 1;
  const end = source.indexOf("\n", at);
  return end === -1 ? source.length : end + 1;
}

const ESCAPED: Readonly<Record<string, string>> = { n: "\n", t: "\t", b: "\b", "\n": "" };

/** A value ends with its line; outside of quotes a comment ends it too, and spaces at its end do not count. */
function readValue(source: string, start: number): { readonly value: string; readonly end: number } {
  let [value, spaces, quoted, at] = ["", "", false, start];
  for (; at < source.length && source[at] !== "\n"; at++) {
    const letter = source[at] ?? "";
    if (!quoted && (letter === "#" || letter === ";")) return { value, end: afterOther(source, at) };
    if (letter === '"') quoted = !quoted;
    else if (!quoted && " \t\r".includes(letter)) spaces += letter;
    else {
      if (letter === "\\") at++;
      const escaped = source[at] ?? "";
      value += spaces + (letter === "\\" ? (ESCAPED[escaped] ?? escaped) : letter);
      spaces = "";
    }
  }
  return { value, end: at };
}
