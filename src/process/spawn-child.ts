import { type ChildProcessByStdio, spawn } from "node:child_process";
import { createRequire } from "node:module";
import type { Readable, Writable } from "node:stream";
import { thrownCode } from "../spec/thrown.ts";
import { isBatchFile, toBatchCommand } from "./batch-command.ts";

/** A child with pipes for stdin and stderr, and for stdout unless it prints into a file. */
export type Child = ChildProcessByStdio<Writable, Readable | null, Readable>;

/** The program to start, with its complete environment. */
export type SpawnOptions = {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** The file descriptor for stdout; a pipe by default. */
  readonly stdout?: number;
};

/** A failed start; `errno` resolves when the system reports the reason. */
export type SpawnError = { readonly errno: Promise<string> };

/** Starts a child in its own session and without a shell. A failed start is a returned value, never an exception. */
export function spawnChild(options: SpawnOptions): Child | SpawnError {
  const program = process.platform === "win32" ? windowsProgram(options) : { ...options, start: spawn };
  if ("errno" in program) return { errno: Promise.resolve(program.errno) };
  try {
    const child = program.start(program.command, [...program.args], {
      cwd: options.cwd,
      env: options.env,
      stdio: ["pipe", options.stdout ?? "pipe", "pipe"],
      detached: process.platform !== "win32",
      windowsHide: true,
      windowsVerbatimArguments: program.command !== options.command,
    });
    if (child.pid !== undefined) return child as Child;
    return { errno: new Promise((resolve) => child.once("error", (error) => resolve(errnoOf(error)))) };
  } catch (error) {
    return { errno: Promise.resolve(errnoOf(error)) };
  }
}

type WindowsProgram = Pick<SpawnOptions, "command" | "args"> & { readonly start: typeof spawn | typeof import("cross-spawn") };

/**
 * npm installs each CLI on Windows as a batch file, which needs cmd.exe and its escapes. cross-spawn would escape the arguments of one
 * outside of node_modules/.bin only once; it finds the interpreters of other scripts. Untested on Windows.
 */
function windowsProgram({ command, args, env }: SpawnOptions): WindowsProgram | { readonly errno: string } {
  if (isBatchFile(command)) {
    const batch = toBatchCommand(command, args);
    return "errno" in batch ? batch : { command: env["ComSpec"] ?? env["COMSPEC"] ?? "cmd.exe", args: batch.args, start: spawn };
  }
  const require = createRequire(import.meta.url);
  return { command, args, start: require("cross-spawn") as typeof import("cross-spawn") };
}

function errnoOf(error: unknown): string {
  return thrownCode(error) ?? "UNKNOWN";
}
