import { createHash, randomBytes } from "node:crypto";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  rmdirSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { dirname, isAbsolute, join, sep } from "node:path";
import { ownIdentity, type ProcessIdentity } from "../process/tree/process-table.ts";
import { thrownCode } from "../spec/failure/failure.ts";
import type { TempFile } from "../spec/provider/cli-data.ts";
import type { Surroundings } from "../spec/provider/provider-facts.ts";

/** The id of this host; every run id begins with it. */
export const HOST_ID: string = `${process.pid}-${randomBytes(4).toString("hex")}`;

export type NamedHost = ProcessIdentity & { readonly hostId: string };

/**
 * `cox-<place>-<start time>-<host id>`. The place stands for the machine and the pid namespace, because only there the pid names this
 * process.
 */
const NAME = /^cox-([0-9a-z]{4})-([0-9a-z]+)-((\d+)-[0-9a-f]{8})$/;

/** Start times have steps of ten milliseconds; in these units their digits are fewer. */
const TIME_UNIT_MS = 10;

/**
 * Claude Code adds `/cc-socks/<pid>.sock` to its temporary directory. It takes a shared directory instead if the whole path has more than 103 bytes
 * (2.1.325).
 */
const LONGEST_TMPDIR = 80;
/** What the directory of a process adds to that of its host. */
const LONGEST_ENDING = "/9999.9/tmp".length;
const SHORT_BASE = "/tmp";

export const TEMPORARY_VARIABLES = ["TMPDIR", "TMP", "TEMP"] as const;

/**
 * The directory of this host for everything that lives no longer than a process, below the temporary directory of these variables. Its
 * name says whether the host is alive, so that others can remove it. It need not exist.
 */
export function hostDirectory(env: Surroundings = process.env): string {
  const path = join(temporaryBase(env), ownName());
  const isLong = Buffer.byteLength(path) + LONGEST_ENDING > LONGEST_TMPDIR;
  return isLong && process.platform !== "win32" && isShared(SHORT_BASE) ? join(SHORT_BASE, ownName()) : path;
}

function temporaryBase(env: Surroundings): string {
  const named = TEMPORARY_VARIABLES.map((name) => env[name]).find((path) => path !== undefined && path !== "");
  return named !== undefined && isAbsolute(named) && isDirectory(named) ? named : tmpdir();
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** True if every user can create files in the directory and rename only his own (the sticky bit). */
function isShared(path: string): boolean {
  const mode = lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  return (mode & 0o1777) === 0o1777;
}

let name: string | undefined;

function ownName(): string {
  name ??= `cox-${placeOfPids()}-${toUnits(ownIdentity().startTime)}-${HOST_ID}`;
  return name;
}

function toUnits(startTime: number): string {
  return Math.round(startTime / TIME_UNIT_MS).toString(36);
}

let place: string | undefined;

function placeOfPids(): string {
  place ??= createHash("sha256")
    .update(`${hostname()} ${pidNamespace()}`)
    .digest()
    .readUInt32BE(0)
    .toString(36)
    .padStart(7, "0")
    .slice(-4);
  return place;
}

function pidNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}

/** The host that the name of a directory stands for; undefined for any other name, and for a host whose pid means nothing here. */
export function hostOfName(directoryName: string): NamedHost | undefined {
  const [, placeOfHost, start = "", hostId = "", pid] = NAME.exec(directoryName) ?? [];
  if (placeOfHost !== placeOfPids()) return undefined;
  return { pid: Number(pid), startTime: Number.parseInt(start, 36) * TIME_UNIT_MS, hostId };
}

export function isHostName(directoryName: string): boolean {
  return NAME.test(directoryName);
}

/** Creates the directory of one process in that of its host; only the owner has access. */
export function makeRunDirectory(host: string, run: string): string {
  const runName = nameOfRun(run);
  return makeInside(host, () => {
    if (runName === undefined) return mkdtempSync(join(host, OTHER));
    const path = join(host, runName);
    mkdirSync(path, { mode: 0o700 });
    return path;
  });
}

/** Creates a directory of this host that belongs to no process. */
export function temporaryDirectory(): string {
  const host = hostDirectory();
  return makeInside(host, () => mkdtempSync(join(host, OTHER)));
}

const OTHER = "other-";

/** The process that removes the last directory of a host also removes the directory of the host. It may do so just before a new one is made. */
const MOST_TRIES = 5;

function makeInside(host: string, make: () => string): string {
  for (let triesLeft = MOST_TRIES; ; triesLeft -= 1) {
    makeHostDirectory(host);
    try {
      return make();
    } catch (error) {
      if (thrownCode(error) === "ENOENT" && triesLeft > 1) continue;
      removeIfEmpty(host);
      throw error;
    }
  }
}

export function removeIfEmpty(directory: string): void {
  try {
    rmdirSync(directory);
  } catch {
    // It has another entry, or somebody else has removed it.
  }
}

/** A process that was ended late may have created the directory again, for everyone to read. */
function makeHostDirectory(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (thrownCode(error) !== "EEXIST") throw error;
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return;
    if (!isOwnDirectory(stats)) throw new Error(`${path} is not a directory of this user`);
    if ((stats.mode & 0o777) !== 0o700) chmodSync(path, 0o700);
  }
}

/** True for a directory of this user; false for a link to one. */
export function isOwnDirectory(stats: Stats): boolean {
  const user = process.getuid?.();
  return stats.isDirectory() && (user === undefined || stats.uid === user);
}

/** The run ids of this host as names of directories: `<host>.12+2` is `12.2`. */
function nameOfRun(run: string): string | undefined {
  if (!run.startsWith(`${HOST_ID}.`)) return undefined;
  const numbers = run.slice(HOST_ID.length + 1);
  return /^\d+(?:\+\d+)?$/.test(numbers) ? numbers.replace("+", ".") : undefined;
}

/** The run whose process has a directory of this name; undefined for a directory of no process. */
export function runOfName({ hostId }: NamedHost, runName: string): string | undefined {
  return /^\d+(?:\.\d+)?$/.test(runName) ? `${hostId}.${runName.replace(".", "+")}` : undefined;
}

/** The folders of one process, in one directory that is removed with it. */
export type RunFolders = {
  /** What has to be removed so far. */
  readonly made: readonly string[];
  /** Creates a folder with access for its owner only: the files of the plan, a home, or a directory for temporary files. */
  make(name: "files" | "home" | "tmp"): string;
};

/** The folders of the process of a run in the directory of its host; nothing is created before the first folder. */
export function runFolders(host: string, run: string): RunFolders {
  const made: string[] = [];
  return {
    made,
    make: (name) => {
      if (made.length === 0) made.push(makeRunDirectory(host, run));
      const path = join(made[0] ?? "", name);
      mkdirSync(path, { mode: 0o700 });
      return path;
    },
  };
}

/** Folders in the name of a file are created. */
export function writeTempFiles(directory: string, files: readonly TempFile[]): void {
  for (const { name, content, encoding = "utf8" } of files)
    writeFileSync(placeIn(directory, name), content, { mode: 0o600, encoding });
}

/** The path of a file in a directory; creates its parent folders. Throws if the path is outside the directory. */
export function placeIn(directory: string, name: string): string {
  const path = join(directory, name);
  if (!path.startsWith(directory + sep)) throw new Error(`"${name}" is not below ${directory}`);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return path;
}
