import { existsSync } from "node:fs";
import { compileCache, stateDirectory } from "../files/state-directory.ts";
import type { Surroundings } from "../spec/provider/provider-facts.ts";

/** The variable of the compile cache, but none before another command has created the state directory: `sudo cox --help` would make root its owner. */
export function existingCompileCache(env: Surroundings): Readonly<Record<string, string>> {
  return existsSync(stateDirectory(env)) ? compileCache(env) : {};
}
