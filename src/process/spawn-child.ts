import { type ChildProcessByStdio, spawn } from "node:child_process";
import { createRequire } from "node:module";
import type { Readable, Writable } from "node:stream";

/** A child whose three pipes are ours. */
export type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** What to start; the environment is complete. */
export type SpawnOptions = {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
};

/** A start that failed, with the reason as soon as the system tells it. */
export type SpawnError = { readonly errno: Promise<string> };

/** Starts a child in a session of its own and without a shell; a start that fails is a value, never an exception. */
export function spawnChild(options: SpawnOptions): Child | SpawnError {
  const [command, args, verbatim] =
    process.platform === "win32" ? windowsCommand(options) : [options.command, options.args, false];
  try {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: options.env,
      stdio: ["pipe", "pipe", "pipe"],
      detached: process.platform !== "win32",
      windowsHide: true,
      windowsVerbatimArguments: verbatim,
    });
    if (child.pid !== undefined) return child;
    return { errno: new Promise((resolve) => child.once("error", (error) => resolve(errnoOf(error)))) };
  } catch (error) {
    return { errno: Promise.resolve(errnoOf(error)) };
  }
}

function errnoOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "UNKNOWN";
}

/** npm installs `.cmd` shims on Windows, which need cmd.exe and its quoting; cross-spawn knows both. Untested there. */
function windowsCommand(options: SpawnOptions): readonly [string, readonly string[], boolean] {
  type Parsed = { command: string; args: string[]; options: { windowsVerbatimArguments?: boolean } };
  const crossSpawn = createRequire(import.meta.url)("cross-spawn") as {
    _parse(command: string, args: readonly string[], options: object): Parsed;
  };
  const parsed = crossSpawn._parse(options.command, options.args, { env: options.env, cwd: options.cwd });
  return [parsed.command, parsed.args, parsed.options.windowsVerbatimArguments === true];
}
