import { type ChildProcessByStdio, spawn, spawnSync } from "node:child_process";
import { accessSync, closeSync, constants, existsSync, openSync, readSync, statSync } from "node:fs";
import { win32 } from "node:path";
import type { Readable, Writable } from "node:stream";
import { thrownCode } from "../../spec/failure/failure.ts";
import { markOf } from "../tree/run-tree.ts";
import { requireLate } from "./find-program.ts";

/** A child with pipes for stdin and stderr, and for stdout unless it prints into a file. */
export type Child = ChildProcessByStdio<Writable, Readable | null, Readable>;

type Program = {
  readonly run: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** `inherited`: the umask of this process; 077 by default. */
  readonly umask?: "inherited" | undefined;
};

type SpawnOptions = Program & {
  readonly cwd: string;
  /** The file descriptor for stdout; a pipe by default. */
  readonly stdout?: number | undefined;
};

/** A failed start; `errno` resolves when the system reports the reason. */
type SpawnError = { readonly errno: Promise<string> };

/** Starts a child in its own session. A failed start is a returned value, never an exception. */
export function spawnChild(options: SpawnOptions): Child | SpawnError {
  const isWindows = process.platform === "win32";
  const program: StartedBy | { readonly errno: string } = isWindows ? windowsProgram(options) : toLaunch(options);
  if ("errno" in program) return { errno: Promise.resolve(program.errno) };
  const { start = spawn } = program;
  try {
    const child = start(program.command, [...program.args], {
      cwd: options.cwd,
      env: options.env,
      stdio: ["pipe", options.stdout ?? "pipe", "pipe"],
      detached: !isWindows,
      windowsHide: true,
      windowsVerbatimArguments: program.command !== options.command,
      ...(program.argv0 !== undefined && { argv0: program.argv0 }),
    });
    if (child.pid !== undefined) return child as Child;
    return { errno: new Promise((resolve) => child.once("error", (error) => resolve(errnoOf(error)))) };
  } catch (error) {
    return { errno: Promise.resolve(errnoOf(error)) };
  }
}

/** Without `start`, Node's own `spawn` starts it. */
type StartedBy = Launch & { readonly start?: typeof import("cross-spawn") };

/** What is given to `spawn`: the program itself, or the shell that becomes the program. */
type Launch = { readonly command: string; readonly args: readonly string[]; readonly argv0?: string };

/** The files of a CLI are private, unless it may change the files of the user (decision 41). */
const PRIVATE = "umask 077; ";
/**
 * The processes of a CLI have the mark of the run as their limit of file locks. dash and BusyBox name this limit `-w`, bash `-x`; a shell that
 * knows neither starts the CLI without it.
 */
const MARKED = 'ulimit -w "$0" 2>/dev/null || ulimit -x "$0" 2>/dev/null; ';
/** The program and its arguments are positional parameters, so no text of a request is part of the script. `exec` keeps the pid. */
const START = 'shift; exec "$@"';

/**
 * The script drops this argument. What a shell and an interpreter add to the arguments and the environment of the program is shorter,
 * so too many arguments are refused where the shell is started (E2BIG) and not behind it.
 */
const ROOM = " ".repeat(5000);

/** dash drops variables whose names it could not assign, such as `spring.profile` or a function of bash; bash keeps them. */
const SHELL_NAME = /^[A-Za-z_]\w*$/;
const SHELL = "/bin/sh";
const KEEPING_SHELL = "/bin/bash";

/**
 * The command that starts a program by the launcher, or the errno with which the system would refuse the program: the shell would
 * report it only by its exit code. Without a usable shell, the program is started directly.
 */
function toLaunch({ command, args, env, run, umask }: Program): Launch | { readonly errno: string } {
  const shell = shellFor(env);
  if (shell === undefined) return { command, args };
  const errno = execErrno(command);
  if (errno !== undefined) return { errno };
  const mark = markOf(run);
  const script = `${umask === "inherited" ? "" : PRIVATE}${mark === undefined ? "" : MARKED}${START}`;
  return {
    command: shell,
    args: ["-c", script, mark === undefined ? "sh" : String(mark.limit), ROOM, command, ...args],
    argv0: "sh",
  };
}

function shellFor(env: Readonly<Record<string, string>>): string | undefined {
  const shell = Object.keys(env).every((name) => SHELL_NAME.test(name)) ? SHELL : KEEPING_SHELL;
  if (!found.has(shell)) found.set(shell, existsSync(shell));
  return found.get(shell) === true ? shell : undefined;
}

/** Whether each shell exists; it is tested once per process. */
const found = new Map<string, boolean>();

/** Linux follows this many interpreters of interpreters. */
const MOST_INTERPRETERS = 5;

/**
 * The errno with which the system would refuse to execute a file with a path: it is missing, is not executable, or its interpreter is (that of
 * a script, or the loader of a program that was built for another C library). Undefined if nothing speaks against it.
 */
function execErrno(path: string, depth = 0): string | undefined {
  if (!path.includes("/")) return undefined;
  try {
    accessSync(path, constants.X_OK);
    if (!statSync(path).isFile()) return "EACCES";
  } catch (error) {
    return thrownCode(error) ?? "ENOENT";
  }
  const interpreter = interpreterOf(path);
  return interpreter === undefined || depth >= MOST_INTERPRETERS ? undefined : execErrno(interpreter, depth + 1);
}

/** The head of a program has its program headers, and those name its loader. */
const HEAD_BYTES = 4096;

function interpreterOf(path: string): string | undefined {
  const head = readHead(path);
  if (head.toString("latin1", 0, 2) === "#!") return /^#![ \t]*([^ \t\n\0]+)/.exec(head.toString("utf8"))?.[1];
  return head.readUInt32BE(0) === ELF ? loaderIn(head) : undefined;
}

const ELF = 0x7f454c46;
/** The header that names the loader (PT_INTERP). */
const LOADER = 3;

/** Reads only programs of 64 bits with the low byte first, as all are that Node supports on Linux but those of s390x. */
function loaderIn(head: Buffer): string | undefined {
  if (head[4] !== 2 || head[5] !== 1) return undefined;
  const [first, size, count] = [Number(head.readBigUInt64LE(32)), head.readUInt16LE(54), head.readUInt16LE(56)];
  for (let at = first; at < first + size * count && at + 40 <= head.length; at += size) {
    if (head.readUInt32LE(at) !== LOADER) continue;
    const offset = Number(head.readBigUInt64LE(at + 8));
    const end = head.indexOf(0, offset);
    return end === -1 ? undefined : head.toString("utf8", offset, end);
  }
  return undefined;
}

/** A program may be executable and not readable; then its head is empty. */
function readHead(path: string): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    readSync(file, head, 0, HEAD_BYTES, 0);
  } catch {
    // The system needs no permission to read a file in order to execute it.
  } finally {
    if (file !== undefined) closeSync(file);
  }
  return head;
}

/** True if a program that the launcher starts has the mark of its run: the system has such a limit, and its shell can set it. */
export function canMarkProcesses(): boolean {
  const run = "0-trial.1";
  const mark = markOf(run);
  const launch = toLaunch({ command: "/bin/cat", args: ["/proc/self/limits"], env: {}, run });
  if (mark === undefined || !("command" in launch)) return false;
  const { command, args, argv0 } = launch;
  const { stdout } = spawnSync(command, [...args], {
    env: {},
    encoding: "utf8",
    timeout: 5_000,
    ...(argv0 !== undefined && { argv0 }),
  });
  return new RegExp(`^Max file locks +\\S+ +${mark.limit} `, "m").test(stdout ?? "");
}

/**
 * npm installs each CLI on Windows as a batch file, which needs cmd.exe and its escapes. cross-spawn would escape the arguments of one
 * outside of node_modules/.bin only once; it finds the interpreters of other scripts. Untested on Windows.
 */
function windowsProgram({ command, args, env }: Program): StartedBy | { readonly errno: string } {
  if (isBatchFile(command)) {
    const batch = toBatchCommand(command, args);
    return "errno" in batch ? batch : { command: env["ComSpec"] ?? env["COMSPEC"] ?? "cmd.exe", args: batch.args };
  }
  return { command, args, start: requireLate("cross-spawn") as typeof import("cross-spawn") };
}

function errnoOf(error: unknown): string {
  return thrownCode(error) ?? "UNKNOWN";
}

/** The arguments of cmd.exe, which are passed to it verbatim; or the errno of a command line that cmd.exe cannot take. */
type BatchCommand = { readonly args: readonly string[] } | { readonly errno: "EINVAL" | "E2BIG" };

/** Whether Windows runs a program by cmd.exe. npm installs each CLI as such a file, which passes its arguments on. */
export function isBatchFile(command: string): boolean {
  return /\.(?:cmd|bat)$/i.test(command);
}

/** cmd.exe takes at most this many characters. */
const LONGEST_LINE = 8191;

/**
 * The command line that passes arguments through a batch file unchanged. cmd.exe reads them twice, once to start the file and once
 * where the file passes them on (`%*`), so each character with a meaning is escaped twice. A line break ends the command line and
 * has no escape. Untested on Windows.
 */
export function toBatchCommand(command: string, args: readonly string[]): BatchCommand {
  if ([command, ...args].some((text) => /[\r\n]/.test(text))) return { errno: "EINVAL" };
  const words = [escapeOnce(win32.normalize(command)), ...args.map((arg) => escapeOnce(escapeOnce(quote(arg))))];
  const line = `"${words.join(" ")}"`;
  return line.length > LONGEST_LINE ? { errno: "E2BIG" } : { args: ["/d", "/s", "/c", line] };
}

/** Quotes an argument for the program: backslashes count only before a quote, where they are doubled. */
function quote(argument: string): string {
  const escaped = argument.replace(/(\\*)("|$)/g, (_, slashes: string, mark: string) => {
    return slashes + slashes + (mark === '"' ? '\\"' : "");
  });
  return `"${escaped}"`;
}

/** The characters that have a meaning for cmd.exe, inside and outside of quotes. */
const MEANING = /[()[\]%!^"`<>&|;, *?]/g;

function escapeOnce(text: string): string {
  return text.replace(MEANING, "^$&");
}
