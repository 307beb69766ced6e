import { execFileSync } from "node:child_process";
import { closeSync, openSync, readdirSync, readlinkSync, readSync } from "node:fs";
import { uptime } from "node:os";

/** The environment variable that marks the processes of a run; tools of a CLI inherit it. */
export const RUN_MARKER = "COXSWAIN_RUN";
/** The environment variable that marks a guardian. */
export const GUARDIAN_MARKER = "COXSWAIN_GUARDIAN";

type Markers = {
  readonly run: string | undefined;
  /** The host of a guardian: a process with the marker of one and of no run. */
  readonly guards: string | undefined;
  /** True for a new process without an environment: it may be in the middle of exec and have one later. */
  readonly mayBeStarting: boolean;
  /** Its limit of file locks; undefined if it has none, or if the system does not show it. */
  readonly locks?: bigint | undefined;
};

type Place = {
  readonly pid: number;
  readonly parentPid: number;
  /** Its process group. A process can join only a group of its own session. */
  readonly group: number;
  /**
   * Its session, named by the pid of the process that created it; 0 if that one is outside of this pid namespace. A process can
   * create a session, but cannot join one.
   */
  readonly session: number;
  /** In milliseconds of `systemTime`. Distinguishes a process from a later one with the same pid. */
  readonly startTime: number;
};

export type ProcessEntry = Place & Markers;

/**
 * All living processes of this system except zombies, kernel threads and this process; undefined if they cannot be listed. A quick
 * list takes over the older processes of the list before, if their pids still exist, and costs a third.
 */
export function listProcesses(isQuick = false): readonly ProcessEntry[] | undefined {
  if (process.platform === "linux") return listFromProc(isQuick);
  return process.platform === "win32" ? undefined : listFromPs();
}

/** The process with this pid, without its markers; undefined if it has exited or cannot be read. */
export function findProcess(pid: number): Place | undefined {
  return process.platform === "linux" ? placeOf(pid) : undefined;
}

/** False if `listProcesses` finds nothing on this system: on Windows, without ps, and on Linux without /proc. */
export function canListProcesses(): boolean {
  return process.platform === "linux" ? hasOwnProc() : listProcesses() !== undefined;
}

/** False if /proc is missing, hidden or belongs to other pids, as in a pid namespace that has not mounted its own. */
function hasOwnProc(): boolean {
  try {
    return readlinkSync("/proc/self") === String(process.pid);
  } catch {
    return false;
  }
}

/** The clock of start times, in milliseconds: with /proc since the start of the system, with ps since 1970. */
export function systemTime(): number {
  return process.platform === "linux" ? uptime() * 1000 : Date.now();
}

/** The unit of start times in /proc: a hundredth of a second, on every architecture that Node supports. */
const TICK_MS = 10;
/** A process of this age has finished its exec, so its environment is not read again. */
const SETTLED_MS = 500;

/** The settled processes of the last list, by pid. */
let settled: ReadonlyMap<number, ProcessEntry> = new Map();

/** How often /proc is read again for one list. */
const MOST_READINGS = 5;

/**
 * A process that starts another one and exits may be missed together with it: it has exited before it is read, and the other one
 * did not exist when /proc was read. So /proc is read again until it shows no new pid.
 */
function listFromProc(isQuick: boolean): readonly ProcessEntry[] | undefined {
  if (!hasOwnProc()) return undefined;
  const settledBefore = systemTime() - SETTLED_MS;
  const stillSettled = new Map<number, ProcessEntry>();
  const entries: ProcessEntry[] = [];
  const seen = new Set<string>([String(process.pid)]);
  for (let reading = 0, isComplete = false; !isComplete && reading < MOST_READINGS; reading += 1) {
    isComplete = true;
    for (const name of namesIn("/proc")) {
      const pid = Number(name);
      if (!Number.isInteger(pid) || seen.has(name)) continue;
      seen.add(name);
      isComplete = false;
      const entry = (isQuick ? settled.get(pid) : undefined) ?? readEntry(pid, settledBefore);
      if (entry === undefined) continue;
      if (entry.startTime <= settledBefore) stillSettled.set(pid, entry);
      if (entry.session !== NO_SESSION) entries.push(entry);
    }
  }
  settled = stillSettled;
  // There are always other processes. A host without free file descriptors finds none.
  return entries.length === 0 ? undefined : entries;
}

function readEntry(pid: number, settledBefore: number): ProcessEntry | undefined {
  const place = placeOf(pid);
  if (place === undefined) return undefined;
  const { startTime } = place;
  const before = settled.get(pid);
  if (place.session === NO_SESSION) return { ...NO_MARKERS, ...place };
  const markers = before?.startTime === startTime ? before : readMarkers(pid, startTime > settledBefore);
  return { ...markers, ...place };
}

/** The process as /proc/<pid>/stat shows it; undefined for one that has exited. */
function placeOf(pid: number): Place | undefined {
  const stat = readQuietly(`/proc/${pid}/stat`);
  return stat === undefined ? undefined : parseStat(stat);
}

/** The flag of a kernel thread among the flags of a process, and the session that it gets here: it has none. */
const KERNEL_THREAD = 0x200000;
const NO_SESSION = -1;
export const NO_MARKERS: Markers = { run: undefined, guards: undefined, mayBeStarting: false };

/** The fields of /proc/<pid>/stat from the state on. The name before it is in brackets and may itself contain brackets and blanks. */
function fieldsOf(stat: string): string {
  return stat.slice(stat.lastIndexOf(")") + 2);
}

/**
 * Reads a line of /proc/<pid>/stat; undefined for a zombie. A process whose first thread has ended looks like a zombie, but has more
 * than one thread.
 */
export function parseStat(stat: string): Place | undefined {
  const fields = fieldsOf(stat).split(" ", 20);
  const [state, parentPid, group, session] = fields;
  if (state === "X" || (state === "Z" && Number(fields[17]) < 2)) return undefined;
  return {
    pid: Number.parseInt(stat, 10),
    parentPid: Number(parentPid),
    group: Number(group),
    session: (Number(fields[6]) & KERNEL_THREAD) === 0 ? Number(session) : NO_SESSION,
    startTime: Number(fields[19]) * TICK_MS,
  };
}

function readMarkers(pid: number, isNew: boolean): Markers {
  const environment = readQuietly(`/proc/${pid}/environ`);
  const run = valueIn(environment ?? "", RUN_MARKER);
  const guards = run === undefined ? valueIn(environment ?? "", GUARDIAN_MARKER) : undefined;
  const locks = readLocksLimit(pid);
  const mayBeStarting = isNew && environment === "";
  return { run, guards, mayBeStarting, locks: typeof locks === "bigint" ? locks : undefined };
}

/** The hard limit of file locks of a process, which every process inherits; undefined if it cannot be read. */
export function readLocksLimit(pid: number | "self"): bigint | "unlimited" | undefined {
  const limit = /^Max file locks +\S+ +(\S+)/m.exec(readQuietly(`/proc/${pid}/limits`) ?? "")?.[1];
  return limit === undefined || limit === "unlimited" ? limit : BigInt(limit);
}

/** The entries of a directory; none if it cannot be read. */
export function namesIn(path: string): readonly string[] {
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
    // Linux fills the buffer as long as there is more, so a shorter piece is the last one.
    for (let length = page.length; length === page.length; text += page.toString("latin1", 0, length))
      length = readSync(file, page, 0, page.length, null);
    return text;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Untested on macOS and the BSDs. `ps -E` (or `e`) appends the environment of the user's own processes to the command. */
function listFromPs(): readonly ProcessEntry[] | undefined {
  try {
    const table = execFileSync("ps", ["-axwwE", "-o", "pid=,ppid=,pgid=,stat=,lstart=,command="], {
      encoding: "utf8",
      env: { ...process.env, LC_ALL: "C" },
      maxBuffer: 64 * 1024 * 1024,
      stdio: ["ignore", "pipe", "ignore"],
    });
    return table.split("\n").flatMap(parsePsLine);
  } catch {
    return undefined;
  }
}

/** Reads a line of ps; none for a zombie and this process. The sessions of macOS have no number, so the group takes their place. */
export function parsePsLine(line: string): readonly ProcessEntry[] {
  const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\w+\s+\w+\s+\d+\s+[\d:]+\s+\d+)\s(.*)$/.exec(line);
  const [pid, parentPid, group] = (match ?? []).slice(1, 4).map(Number);
  const [state = "", startedAt = "", command = ""] = (match ?? []).slice(4);
  if (pid === undefined || parentPid === undefined || group === undefined) return [];
  if (pid === process.pid || state.startsWith("Z")) return [];
  const run = new RegExp(`\\s${RUN_MARKER}=(\\S*)`).exec(command)?.[1];
  const guards = run === undefined ? new RegExp(`\\s${GUARDIAN_MARKER}=(\\S*)`).exec(command)?.[1] : undefined;
  const place = { pid, parentPid, group, session: group, startTime: Date.parse(startedAt) };
  return [{ ...place, run, guards, mayBeStarting: false }];
}

/** The memory that a process occupies, in bytes; undefined if it has exited or the system has no /proc. */
export function memoryOf(pid: number): number | undefined {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readQuietly(`/proc/${pid}/status`) ?? "")?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}

/** True for a process that was stopped by SIGSTOP or a debugger; where there is no /proc, always false. */
export function isStopped(pid: number): boolean {
  return /^[Tt]/.test(fieldsOf(readQuietly(`/proc/${pid}/stat`) ?? ""));
}

/** Names a process so that a later one with the same pid is not mistaken for it; the start time is 0 where the system does not tell it. */
export type ProcessIdentity = Pick<Place, "pid" | "startTime">;

let own: ProcessIdentity | undefined;

export function ownIdentity(): ProcessIdentity {
  own ??= { pid: process.pid, startTime: findProcess(process.pid)?.startTime ?? 0 };
  return own;
}
