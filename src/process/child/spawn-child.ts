import { type ChildProcessByStdio, spawn } from "node:child_process";
import { win32 } from "node:path";
import type { Readable, Writable } from "node:stream";
import { requireLate } from "../../files/own-program.ts";
import { thrownCode } from "../../spec/failure/thrown.ts";
import { type Launch, toLaunch } from "./launcher.ts";

/** A child with pipes for stdin and stderr, and for stdout unless it prints into a file. */
export type Child = ChildProcessByStdio<Writable, Readable | null, Readable>;

type SpawnOptions = {
  readonly run: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** The file descriptor for stdout; a pipe by default. */
  readonly stdout?: number;
  /** `inherited`: the umask of this process; 077 by default. */
  readonly umask?: "inherited" | undefined;
};

/** A failed start; `errno` resolves when the system reports the reason. */
type SpawnError = { readonly errno: Promise<string> };

/** Starts a child in its own session. A failed start is a returned value, never an exception. */
export function spawnChild(options: SpawnOptions): Child | SpawnError {
  const program = process.platform === "win32" ? windowsProgram(options) : unixProgram(options);
  if ("errno" in program) return { errno: Promise.resolve(program.errno) };
  try {
    const child = program.start(program.command, [...program.args], {
      cwd: options.cwd,
      env: options.env,
      stdio: ["pipe", options.stdout ?? "pipe", "pipe"],
      detached: process.platform !== "win32",
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

function unixProgram(options: SpawnOptions): StartedBy | { readonly errno: string } {
  const launch = toLaunch(options);
  return "errno" in launch ? launch : { ...launch, start: spawn };
}

type StartedBy = Launch & { readonly start: typeof spawn | typeof import("cross-spawn") };

/**
 * npm installs each CLI on Windows as a batch file, which needs cmd.exe and its escapes. cross-spawn would escape the arguments of one
 * outside of node_modules/.bin only once; it finds the interpreters of other scripts. Untested on Windows.
 */
function windowsProgram({ command, args, env }: SpawnOptions): StartedBy | { readonly errno: string } {
  if (isBatchFile(command)) {
    const batch = toBatchCommand(command, args);
    return "errno" in batch ? batch : { command: env["ComSpec"] ?? env["COMSPEC"] ?? "cmd.exe", args: batch.args, start: spawn };
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
