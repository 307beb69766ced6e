import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** How often a directory is emptied before it counts as one that another program keeps filling. */
const TRIES = 3;

/**
 * Empties a directory: what other programs left there, such as a core dump, is moved to the directory `found`, which then has only
 * this find. Returns the name of a stray that cannot be moved.
 */
export function setStraysAside(directory: string, found: string): string | undefined {
  for (let triesLeft = TRIES; triesLeft > 0; triesLeft -= 1) {
    const names = readdirSync(directory);
    if (names.length === 0) return undefined;
    moveAll(names, directory, found);
  }
  return readdirSync(directory)[0];
}

/** Other hosts may move the same strays at the same time, so each host has a directory of its own until it has moved something. */
function moveAll(names: readonly string[], from: string, found: string): void {
  const mine = `${found}-${process.pid}-${randomBytes(4).toString("hex")}`;
  if (!tried(() => mkdirSync(mine, { mode: 0o700 }))) return;
  const moved = names.filter((name) => tried(() => renameSync(join(from, name), join(mine, name))));
  if (moved.length === 0) return void tried(() => rmdirSync(mine));
  tried(() => {
    rmSync(found, { recursive: true, force: true });
    renameSync(mine, found);
  });
}

function tried(act: () => void): boolean {
  try {
    act();
    return true;
  } catch {
    return false;
  }
}
