import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { builtFile } from "../built/built-file.ts";
import { openTestScope } from "./test-scope.ts";

/** How a host process ended. */
export type HostExit = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

/** A separate host process that uses the library and prints one line of JSON. */
export type HostProcess<Report> = {
  readonly pid: number;
  readonly report: Promise<Report>;
  readonly exit: Promise<HostExit>;
  /** The content of NOTE_FILE, written by its program; undefined when there is none. */
  note(): string | undefined;
  /** The process that its program left running, from PID_FILE. */
  grandchild(): number;
  /** The files left in its temporary directory. */
  leftovers(): readonly string[];
};

/** Options of `mount` for the disk of a host's temporary directory: `size=64k`, `nr_inodes=5`. */
export type SmallDisk = string;

/**
 * Starts a file of the hosts folder with these additional environment variables, which its program inherits. With a small disk its
 * temporary directory is a file system of its own, in a mount namespace of the host.
 */
export function startHost<Report>(
  host: string,
  additions: Readonly<Record<string, string>> = {},
  disk?: SmallDisk,
): HostProcess<Report> {
  const { directory, env } = openTestScope();
  const files = { NOTE_FILE: join(directory, "note"), PID_FILE: join(directory, "pid"), TMPDIR: join(directory, "temporary") };
  mkdirSync(files.TMPDIR);
  const program = [process.execPath, builtFile(`tests/e2e/hosts/${host}.ts`)];
  const [command = "", ...args] = disk === undefined ? program : onDisk(disk, program);
  const child = spawn(command, args, {
    env: { ...env, ...files, ...additions },
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
    report: readReport<Report>(child.stdout, () => stderr),
    exit,
    note: () => readIfThere(files.NOTE_FILE),
    grandchild: () => Number(readFileSync(files.PID_FILE, "utf8")),
    leftovers: () => readdirSync(files.TMPDIR, { recursive: true, encoding: "utf8" }),
  };
}

/** The command that mounts a disk at TMPDIR and then becomes the program. */
function onDisk(disk: SmallDisk, program: readonly string[]): readonly string[] {
  return ["unshare", "-rm", "sh", "-c", `mount -t tmpfs -o ${disk} tmpfs "$TMPDIR" && exec "$@"`, "sh", ...program];
}

/** Why this machine can mount no disk for a host; undefined if it can. */
export function whyNoDisk(): string | undefined {
  const { directory, env } = openTestScope();
  const [command = "", ...args] = onDisk("size=4k", ["true"]);
  const { status, stderr, error } = spawnSync(command, args, { env: { ...env, TMPDIR: directory }, encoding: "utf8" });
  return status === 0 ? undefined : `unshare -rm and mount failed: ${error?.message ?? stderr}`;
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
