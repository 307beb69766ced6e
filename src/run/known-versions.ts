import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { basename, join, parse } from "node:path";
import type { FoundBinary } from "../process/find-binary.ts";
import { installedVersion } from "../process/installed-version.ts";
import { replaceFile, stateDirectory } from "../process/private-files.ts";
import type { Provider, Surroundings } from "../spec/provider.ts";

/** A file on the disk: its real path, and what changes when another one takes its place. */
type Program = {
  readonly path: string;
  readonly stamp: string;
  /** The provider and the command: a version manager gives all its commands the same file. */
  readonly key: string;
  /** False for a file that starts another program, which may change without it. */
  readonly isItself: boolean;
};

/** What a program said of its version; null when it said none. */
type Said = { readonly version: string | null };

type Entry = {
  readonly program: Program;
  /** What its files tell. */
  readonly installed: string | undefined;
  said?: Said | undefined;
};

/**
 * The versions of programs, without starting any: what their files tell, else what they said when somebody asked, which is kept
 * in the state directory until the program changes. Never throws.
 */
export class KnownVersions {
  private readonly state: string;
  private readonly entries = new Map<string, Entry>();
  private readonly told = new Set<string>();

  constructor(env: Surroundings) {
    this.state = stateDirectory(env);
  }

  /** The version of a program, as far as it is known. */
  find(provider: Provider, found: FoundBinary): string | undefined {
    const entry = this.entryOf(provider, found);
    if (entry === undefined) return undefined;
    return installedOf(provider, entry) ?? this.saidOf(entry)?.version ?? undefined;
  }

  /** Keeps what a program said of its version; for other processes too where its files do not tell. */
  note(provider: Provider, found: FoundBinary, version: string | undefined): void {
    const entry = this.entryOf(provider, found);
    if (entry === undefined || installedOf(provider, entry) !== undefined) return;
    entry.said = { version: version ?? null };
    const { path, stamp, isItself } = entry.program;
    if (!isItself) return;
    try {
      replaceFile(this.pathOf(entry.program), `${JSON.stringify({ path, stamp, ...entry.said })}\n`);
    } catch {}
  }

  /** True the first time that a user is to hear of this version; without a state directory, the first time of this client. */
  isNews(provider: Provider, version: string): boolean {
    const name = `${provider.id}-${version}`.replace(/[^\w.-]/g, "_");
    if (this.told.has(name)) return false;
    this.told.add(name);
    try {
      const folder = join(this.state, "unproven");
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(join(folder, name), "", { flag: "wx", mode: 0o600 });
      return true;
    } catch (error) {
      return !(error instanceof Error && "code" in error && error.code === "EEXIST");
    }
  }

  private entryOf({ id, binary }: Provider, { command }: FoundBinary): Entry | undefined {
    const program = "script" in binary ? undefined : identify(id, command);
    if (program === undefined) return undefined;
    const known = this.entries.get(program.key);
    if (known?.program.stamp === program.stamp) return known;
    const entry = { program, installed: installedVersion(command, program.path) };
    this.entries.set(program.key, entry);
    return entry;
  }

  private saidOf(entry: Entry): Said | undefined {
    if (!("said" in entry)) entry.said = readSaid(this.pathOf(entry.program), entry.program);
    return entry.said;
  }

  private pathOf({ path, key }: Program): string {
    const digest = createHash("sha256").update(key).digest("hex").slice(0, 16);
    return join(this.state, "versions", `${basename(path).replace(/[^\w-]/g, "_")}-${digest}.json`);
  }
}

function installedOf({ versionInFiles }: Provider, { installed }: Entry): string | undefined {
  return versionInFiles === false ? undefined : installed;
}

function identify(provider: string, command: string): Program | undefined {
  try {
    const path = realpathSync.native(command);
    const { mtimeMs, size } = statSync(path);
    const isItself = parse(path).name === parse(command).name;
    return { path, stamp: `${mtimeMs}-${size}`, key: JSON.stringify([provider, command]), isItself };
  } catch {
    return undefined;
  }
}

/** A file tells of the program for which it was written, as it was then, or of nothing. */
function readSaid(file: string, { path, stamp }: Program): Said | undefined {
  try {
    if (statSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
    const said = JSON.parse(readFileSync(file, "utf8")) as Partial<Program & Said> | null;
    if (said?.path !== path || said.stamp !== stamp) return undefined;
    return { version: typeof said.version === "string" ? said.version : null };
  } catch {
    return undefined;
  }
}
