import { type ChildProcess, spawn } from "node:child_process";
import { isAbsolute, join } from "node:path";
import { builtFile, COMPILED } from "../built/built-file.ts";
import { type Disk, onDisk } from "../processes/on-disk.ts";

/** How a program ended and what it printed. */
export type Ended = {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
};

/** A running program. */
export type Started = {
  readonly child: ChildProcess;
  /** Writes to its stdin. */
  write(text: string): void;
  /** Closes its stdin. */
  end(text?: string): void;
  stdout(): string;
  stderr(): string;
  /** Waits until the output satisfies the condition; fails when the program ends before. */
  until(condition: (stdout: string, stderr: string) => boolean): Promise<void>;
  readonly ended: Promise<Ended>;
};

/** Options for starting a program. */
export type StartOptions = {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** Empty by default; `open` leaves stdin to the test. */
  readonly stdin?: "none" | "open";
  readonly form?: "built" | "source";
  /** A disk that is mounted for it. */
  readonly disk?: Disk;
};

/** Starts a script with the Node of the tests: by its path, or the built one of this repository unless the test asks for the sources. */
export function startScript(path: string, args: readonly string[], options: StartOptions = {}): Started {
  const isBuilt = options.form !== "source" && !path.startsWith("examples/");
  const isOurs = !isAbsolute(path);
  const script = isOurs ? (isBuilt ? builtFile(path) : join(import.meta.dirname, "../../..", path)) : path;
  const program = [process.execPath, script, ...args];
  const [command = "", ...rest] = options.disk === undefined ? program : onDisk(options.disk, program);
  const child = spawn(command, rest, {
    stdio: [options.stdin === "open" ? "pipe" : "ignore", "pipe", "pipe"],
    env: { ...process.env, NO_COLOR: undefined, ...(isOurs && isBuilt && { NODE_COMPILE_CACHE: COMPILED }), ...options.env },
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
  return follow(child);
}

/** Follows the output of a child process. */
export function follow(child: ChildProcess): Started {
  let stdout = "";
  let stderr = "";
  let isOver = false;
  const watchers = new Set<() => void>();
  const notify = (): void => {
    for (const watcher of watchers) watcher();
  };
  child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
    stdout += chunk;
    notify();
  });
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    stderr += chunk;
    notify();
  });
  child.stdin?.on("error", () => undefined);
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (exitCode, signal) => {
      isOver = true;
      resolve({ stdout, stderr, exitCode, signal });
      notify();
    });
  });
  const until = async (condition: (stdout: string, stderr: string) => boolean): Promise<void> =>
    await new Promise((resolve, reject) => {
      const check = (): void => {
        const isMet = condition(stdout, stderr);
        if (!isMet && !isOver) return;
        watchers.delete(check);
        if (isMet) resolve();
        else reject(new Error(`the program ended first; stdout: ${stdout}; stderr: ${stderr}`));
      };
      watchers.add(check);
      check();
    });
  return {
    child,
    write: (text) => void child.stdin?.write(text),
    end: (text) => void child.stdin?.end(text),
    stdout: () => stdout,
    stderr: () => stderr,
    until,
    ended,
  };
}
