import { accessSync, closeSync, constants, existsSync, openSync, readSync, statSync } from "node:fs";
import { thrownCode } from "../../spec/failure/thrown.ts";
import { markOf } from "../tree/limit-mark.ts";

/** What is given to `spawn`: the program itself, or the shell that becomes the program. */
export type Launch = { readonly command: string; readonly args: readonly string[]; readonly argv0?: string };

type Program = Pick<Launch, "command" | "args"> & {
  readonly env: Readonly<Record<string, string>>;
  readonly run: string;
  readonly umask?: "inherited" | undefined;
};

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
export function toLaunch({ command, args, env, run, umask }: Program): Launch | { readonly errno: string } {
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
