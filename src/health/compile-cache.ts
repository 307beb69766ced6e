import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { stateDirectory } from "../process/private-files.ts";
import type { Surroundings } from "../spec/provider.ts";

/**
 * What lets a CLI that is written in Node keep what it compiled: asked again, it answers with a quarter less of work. All of it
 * is thrown away once a month, since versions that are gone leave theirs behind.
 */
export function compileCache(env: Surroundings, now: Date = new Date()): Readonly<Record<string, string>> {
  if (env["NODE_COMPILE_CACHE"]) return {};
  try {
    const all = join(stateDirectory(env), "compiled");
    const path = join(all, now.toISOString().slice(0, 7));
    if (!existsSync(path)) {
      rmSync(all, { recursive: true, force: true });
      mkdirSync(path, { recursive: true, mode: 0o700 });
    }
    return { NODE_COMPILE_CACHE: path };
  } catch {
    return {};
  }
}
