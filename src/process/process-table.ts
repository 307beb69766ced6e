import { execFileSync } from "node:child_process";
import { closeSync, openSync, readdirSync, readSync } from "node:fs";

/** The environment variable that marks the processes of a run; tools of a CLI inherit it. */
export const RUN_MARKER = "COXSWAIN_RUN";
/** The environment variable that marks a guardian; a sweep never ends guardians. */
export const GUARDIAN_MARKER = "COXSWAIN_GUARDIAN";

/** One living process. */
export type ProcessEntry = {
  readonly pid: number;
  readonly parentPid: number;
  /** Distinguishes a process from a later one with the same pid. */
  readonly startTime: string;
  /** The run in its environment, if there is one. */
  readonly run: string | undefined;
};

/** All living processes of this system except guardians, zombies and this process. */
export function listProcesses(): readonly ProcessEntry[] {
  if (process.platform === "linux") return listFromProc();
  return process.platform === "win32" ? [] : listFromPs();
}

function listFromProc(): readonly ProcessEntry[] {
  const entries: ProcessEntry[] = [];
  for (const name of listQuietly("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    const entry = readProc(pid);
    if (entry !== undefined) entries.push(entry);
  }
  return entries;
}

/** The start time of a process in the format of the system; undefined if it cannot be read. */
export function startTimeOf(pid: number): string | undefined {
  return process.platform === "linux" ? statOf(pid)?.[19] : undefined;
}

/**
 * The fields of /proc/<pid>/stat after the program's name. The name is in brackets and may itself contain brackets and blanks.
 */
function statOf(pid: number): readonly string[] | undefined {
  const stat = readQuietly(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/** The process as /proc shows it, or undefined if it has exited. */
function readProc(pid: number): ProcessEntry | undefined {
  const fields = statOf(pid);
  if (fields === undefined || fields[0] === "Z" || fields[0] === "X") return undefined;
  const environment = readQuietly(`/proc/${pid}/environ`) ?? "";
  const run = valueIn(environment, RUN_MARKER);
  if (run === undefined && valueIn(environment, GUARDIAN_MARKER) !== undefined) return undefined;
  return { pid, parentPid: Number(fields[1]), startTime: fields[19] ?? "", run };
}

function listQuietly(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

function valueIn(environment: string, name: string): string | undefined {
  const at = environment.startsWith(`${name}=`) ? 0 : environment.indexOf(`\0${name}=`) + 1;
  if (at === 0 && !environment.startsWith(`${name}=`)) return undefined;
  const from = at + name.length + 1;
  const to = environment.indexOf("\0", from);
  return environment.slice(from, to === -1 ? undefined : to);
}

/** The shared buffer for reads. Files of /proc have no size, so readFileSync would allocate 64 kB for each. */
const page = Buffer.allocUnsafeSlow(16 * 1024);

function readQuietly(path: string): string | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    let text = "";
    for (let length = -1; length !== 0; text += page.toString("latin1", 0, length))
      length = readSync(file, page, 0, page.length, null);
    return text;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Untested on macOS and the BSDs. `ps -E` (or `e`) appends the environment of the user's own processes to the command. */
function listFromPs(): readonly ProcessEntry[] {
  try {
    const table = execFileSync("ps", ["-axwwE", "-o", "pid=,ppid=,lstart=,command="], {
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
    });
    return table.split("\n").flatMap(readPsLine);
  } catch {
    return [];
  }
}

function readPsLine(line: string): readonly ProcessEntry[] {
  const match = /^\s*(\d+)\s+(\d+)\s+(\w+ \w+\s+\d+ [\d:]+ \d+)\s(.*)$/.exec(line);
  if (match === null || match[4]?.includes(`${GUARDIAN_MARKER}=`)) return [];
  const run = new RegExp(`\\b${RUN_MARKER}=(\\S+)`).exec(match[4] ?? "")?.[1];
  return [{ pid: Number(match[1]), parentPid: Number(match[2]), startTime: match[3] ?? "", run }];
}
