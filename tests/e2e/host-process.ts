import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, vi } from "vitest";
import { builtFile, COMPILED } from "../support/built/built-file.ts";
import { type Disk, onDisk } from "../support/processes/on-disk.ts";
import { openTestScope } from "../support/test-scope.ts";

/** How a host process ended. */
export type HostExit = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

/** A separate host process that uses the library and prints one line of JSON. */
export type HostProcess<Report> = {
  readonly pid: number;
  /** The directory of the test. */
  readonly directory: string;
  readonly report: Promise<Report>;
  readonly exit: Promise<HostExit>;
  /** The content of NOTE_FILE, written by its program; undefined when there is none. */
  note(): string | undefined;
  /** The process that its program left running, from PID_FILE. */
  grandchild(): number;
  /** The files left in its temporary directory. */
  leftovers(): readonly string[];
};

/**
 * Starts a file of the hosts folder with these additional environment variables, which its program inherits. With a disk it runs in a
 * mount namespace in which the disk is mounted: by default at its temporary directory.
 */
export function startHost<Report>(
  host: string,
  additions: Readonly<Record<string, string>> = {},
  disk?: Omit<Disk, "at"> & Partial<Disk>,
): HostProcess<Report> {
  const { directory, env } = openTestScope();
  const files = { NOTE_FILE: join(directory, "note"), PID_FILE: join(directory, "pid"), TMPDIR: join(directory, "temporary") };
  mkdirSync(files.TMPDIR);
  const program = [process.execPath, builtFile(`tests/e2e/hosts/${host}.ts`)];
  const [command = "", ...args] = disk === undefined ? program : onDisk({ at: files.TMPDIR, ...disk }, program);
  const child = spawn(command, args, {
    env: { ...env, ...files, NODE_COMPILE_CACHE: COMPILED, ...additions },
    stdio: ["ignore", "pipe", "pipe"],
  });
  if (child.pid === undefined) throw new Error(`the host ${host} did not start`);
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const exit = once(child, "exit").then(([code, signal]): HostExit => ({ code, signal }));
  return {
    pid: child.pid,
    directory,
    report: readReport<Report>(child.stdout, () => stderr),
    exit,
    note: () => readIfThere(files.NOTE_FILE),
    grandchild: () => Number(readFileSync(files.PID_FILE, "utf8")),
    leftovers: () => readdirSync(files.TMPDIR, { recursive: true, encoding: "utf8" }),
  };
}

async function readReport<Report>(stdout: AsyncIterable<Buffer>, stderr: () => string): Promise<Report> {
  let printed = "";
  for await (const chunk of stdout) {
    printed += chunk.toString();
    if (printed.includes("\n")) return JSON.parse(printed.slice(0, printed.indexOf("\n")));
  }
  throw new Error(`the host ended without its report: ${stderr() || JSON.stringify(printed)}`);
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** Resolves when the files of a host that has died are removed; its guardian does that after the processes have ended. */
export function untilNothingIsLeft(host: HostProcess<unknown>): Promise<void> {
  return vi.waitFor(() => expect(host.leftovers()).toEqual([]), { timeout: 30_000, interval: 50 });
}
