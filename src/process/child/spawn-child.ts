import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { requireLate } from "../../files/own-program.ts";
import { thrownCode } from "../../spec/failure/thrown.ts";
import { isBatchFile, toBatchCommand } from "./batch-command.ts";
import { type Launch, toLaunch } from "./launcher.ts";

/** A child with pipes for stdin and stderr, and for stdout unless it prints into a file. */
export type Child = ChildProcessByStdio<Writable, Readable | null, Readable>;

/** The program to start, with its complete environment. */
export type SpawnOptions = {
  /** The run of the process. */
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
export type SpawnError = { readonly errno: Promise<string> };

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

/** What starts which command. */
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
