import { createHash } from "node:crypto";
import { readFileSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, parse, relative, sep } from "node:path";
import { isOwnState, makeDirectory, replaceFile, stateDirectory } from "../files/state-directory.ts";
import type { FoundBinary } from "../process/child/find-program.ts";
import { thrownCode } from "../spec/failure/failure.ts";
import type { Provider } from "../spec/provider/provider.ts";
import type { Surroundings } from "../spec/provider/provider-facts.ts";

/** The file of a program: its real path, and a stamp that changes when the file is replaced. */
type Program = {
  readonly path: string;
  readonly stamp: string;
  /** The provider and the command, because a version manager has the same file for all its commands. */
  readonly key: string;
  /** False for a launcher of another program, which can change without a change of this file. */
  readonly isItself: boolean;
};

/** The version is null if the program printed none. */
type PrintedVersion = { readonly version: string | null };

type Entry = {
  readonly program: Program;
  readonly installed: string | undefined;
  printed?: PrintedVersion | undefined;
};

/**
 * Finds the versions of programs without starting them: from their files, or from an earlier `--version`, which is stored in the
 * state directory until the program changes. A state directory that another user could change is not used. Never throws.
 */
export class KnownVersions {
  private readonly state: string;
  private readonly entries = new Map<string, Entry>();
  private readonly noticed = new Set<string>();

  constructor(env: Surroundings) {
    this.state = stateDirectory(env);
  }

  find(provider: Provider, found: FoundBinary): string | undefined {
    const entry = this.entryOf(provider, found);
    if (entry === undefined) return undefined;
    return installedOf(provider, entry) ?? this.printedOf(entry)?.version ?? undefined;
  }

  /**
   * Stores the version that a program printed, unless its files have the version. The version of a launcher is stored in memory
   * only.
   */
  note(provider: Provider, found: FoundBinary, version: string | undefined): void {
    const entry = this.entryOf(provider, found);
    if (entry === undefined || installedOf(provider, entry) !== undefined) return;
    entry.printed = { version: version ?? null };
    const { path, stamp, isItself } = entry.program;
    if (!isItself || !isOwnState(this.state)) return;
    try {
      replaceFile(this.pathOf(entry.program), `${JSON.stringify({ path, stamp, ...entry.printed })}\n`);
    } catch {}
  }

  /** True at the first call for this version of any client; if the state directory cannot be written, of this client. */
  isFirstNotice(provider: Provider, version: string): boolean {
    const name = `${provider.id}-${version}`.replace(/[^\w.-]/g, "_");
    if (this.noticed.has(name)) return false;
    this.noticed.add(name);
    if (!isOwnState(this.state)) return true;
    try {
      const folder = join(this.state, "unproven");
      makeDirectory(folder);
      writeFileSync(join(folder, name), "", { flag: "wx", mode: 0o600 });
      return true;
    } catch (error) {
      return thrownCode(error) !== "EEXIST";
    }
  }

  private entryOf({ id, binary }: Provider, { command }: FoundBinary): Entry | undefined {
    const stamp = "names" in binary ? stampOf(command) : undefined;
    if (stamp === undefined) return undefined;
    const key = JSON.stringify([id, command]);
    const known = this.entries.get(key);
    if (known?.program.stamp === stamp) return known;
    const path = realpathOf(command);
    const program = { path, stamp, key, isItself: parse(path).name === parse(command).name };
    const entry = { program, installed: installedVersion(command, path) };
    this.entries.set(key, entry);
    return entry;
  }

  private printedOf(entry: Entry): PrintedVersion | undefined {
    if (!("printed" in entry)) {
      entry.printed = isOwnState(this.state) ? readStored(this.pathOf(entry.program), entry.program) : undefined;
    }
    return entry.printed;
  }

  private pathOf({ path, key }: Program): string {
    const digest = createHash("sha256").update(key).digest("hex").slice(0, 16);
    return join(this.state, "versions", `${basename(path).replace(/[^\w-]/g, "_")}-${digest}.json`);
  }
}

function installedOf({ versionInFiles }: Provider, { installed }: Entry): string | undefined {
  return versionInFiles === false ? undefined : installed;
}

/** What changes when another file takes the place of this one; links are followed. Undefined for a file that is not there or may not be read. */
export function stampOf(path: string): string | undefined {
  try {
    const { dev, ino, mtimeMs, size } = statSync(path);
    return [dev, ino, mtimeMs, size].join("-");
  } catch {
    return undefined;
  }
}

function realpathOf(command: string): string {
  try {
    return realpathSync.native(command);
  } catch {
    return command;
  }
}

/** Reads the stored version; undefined if it belongs to another program or to an earlier file of this one. */
function readStored(file: string, { path, stamp }: Program): PrintedVersion | undefined {
  try {
    if (statSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
    const stored = JSON.parse(readFileSync(file, "utf8")) as Partial<Program & PrintedVersion> | null;
    if (stored?.path !== path || stored.stamp !== stamp) return undefined;
    return { version: typeof stored.version === "string" ? stored.version : null };
  } catch {
    return undefined;
  }
}

const VERSION = /^\d+\.\d+(?:\.\d+)*(?:-(?:alpha|beta|rc|preview|nightly)[\w.-]*)?/;

/**
 * The version of an installed program, without starting it: from the package.json of its npm package, or from an installer's
 * folder that is named by the version. Undefined if neither exists.
 *
 * @param command The path at which the program was found.
 * @param path Its real path.
 */
export function installedVersion(command: string, path: string): string | undefined {
  return packageVersion(path) ?? folderVersion(path, programName(command));
}

/** The version in the nearest package.json above the program that has a name and a version. */
function packageVersion(path: string): string | undefined {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const { name, version, bin } = readPackage(join(folder, "package.json"));
    if (name !== undefined && version !== undefined)
      return isInstalled(folder) || names(bin, relative(folder, path)) ? VERSION.exec(version)?.[0] : undefined;
    if (dirname(folder) === folder || basename(folder) === "node_modules") return undefined;
  }
}

type Package = { readonly name?: string; readonly version?: string; readonly bin?: unknown };

function readPackage(path: string): Package {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (typeof value !== "object" || value === null) return {};
    const { name, version, bin } = value as Readonly<Record<string, unknown>>;
    return { ...(typeof name === "string" && { name }), ...(typeof version === "string" && { version }), bin };
  } catch {
    return {};
  }
}

/** True for a package folder in node_modules. Any other package.json above the program may belong to an unrelated project. */
function isInstalled(folder: string): boolean {
  const parent = dirname(folder);
  return basename(basename(parent).startsWith("@") ? dirname(parent) : parent) === "node_modules";
}

function names(bin: unknown, file: string): boolean {
  const paths = typeof bin === "object" && bin !== null ? Object.values(bin) : [bin];
  return paths.some((path) => typeof path === "string" && join(path) === file);
}

/**
 * As in `claude/versions/2.1.325` and `Cellar/codex/0.166.0/bin/codex`. The folder must name the program, because a path may also
 * contain the version of Node.
 */
function folderVersion(path: string, program: string): string | undefined {
  const segments = path.split(sep);
  const at = segments.findLastIndex((segment, index) => {
    if (VERSION.exec(segment)?.[0] !== segment) return false;
    const before = segments.slice(0, index).filter((each, place) => !(each === "versions" && place === index - 1));
    return before.at(-1)?.includes(program) === true || /^(?:Cellar|Caskroom)$/.test(before.at(-2) ?? "");
  });
  return segments[at];
}

function programName(command: string): string {
  return basename(command).replace(/\.(?:exe|cmd|bat|com)$/i, "");
}
