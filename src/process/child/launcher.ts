import { existsSync } from "node:fs";
import { markOf } from "../tree/limit-mark.ts";
import { execErrno } from "./exec-errno.ts";

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
