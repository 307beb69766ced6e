import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";

/** A file system that a program has for itself: where it is mounted, and the options of `mount` (`size=64k`, `nr_inodes=5`). */
export type Disk = { readonly at: string; readonly options: string };

/** An empty disk in the place of /proc: the program finds no processes. */
export const NO_PROC: Disk = { at: "/proc", options: "size=4k" };

/** The command that mounts a disk in user and mount namespaces of its own and then becomes the program, with the same pid. */
export function onDisk({ at, options }: Disk, program: readonly string[]): readonly string[] {
  return [
    "unshare",
    "-rm",
    "sh",
    "-c",
    'mount -t tmpfs -o "$1" tmpfs "$2" && shift 2 && exec "$@"',
    "sh",
    options,
    at,
    ...program,
  ];
}

/** False, with a warning, if this machine can mount no disk for a program; CI must be able to. */
export function canMountDisk(): boolean {
  const at = mkdtempSync(join(tmpdir(), "coxswain-disk-"));
  const [command = "", ...args] = onDisk({ at, options: "size=4k" }, ["true"]);
  const { status, stderr, error } = spawnSync(command, args, { encoding: "utf8" });
  rmSync(at, { recursive: true, force: true });
  if (status === 0) return true;
  const why = `unshare -rm and mount failed: ${error?.message ?? stderr}`;
  expect(process.env["CI"], why).toBeUndefined();
  console.warn(`Not tested: ${why}`);
  return false;
}
