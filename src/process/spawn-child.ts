import { type ChildProcessByStdio, spawn } from "node:child_process";
import { createRequire } from "node:module";
import type { Readable, Writable } from "node:stream";

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
  const start = process.platform === "win32" ? windowsSpawn() : spawn;
  try {
    const child = start(options.command, [...options.args], {
      cwd: options.cwd,
      env: options.env,
      stdio: ["pipe", options.stdout ?? "pipe", "pipe"],
      detached: process.platform !== "win32",
      windowsHide: true,
    });
    if (child.pid !== undefined) return child as Child;
    return { errno: new Promise((resolve) => child.once("error", (error) => resolve(errnoOf(error)))) };
  } catch (error) {
    return { errno: Promise.resolve(errnoOf(error)) };
  }
}

/** On Windows npm installs `.cmd` shims, which need cmd.exe and its quoting; cross-spawn handles both. Untested. */
function windowsSpawn(): typeof import("cross-spawn") {
  const require = createRequire(import.meta.url);
  return require("cross-spawn") as typeof import("cross-spawn");
}

function errnoOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "UNKNOWN";
}
