import { existsSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { compileCache } from "../health/compile-cache.ts";
import { stateDirectory } from "../process/state-directory.ts";

/**
 * Makes Node keep the compiled code of all modules that are loaded later: a start of `cox` takes a fifth less time. It does nothing before
 * another command has created the state directory, because `sudo cox --help` would make root its owner.
 */
export function keepCompiled(): void {
  if (!existsSync(stateDirectory(process.env))) return;
  const { NODE_COMPILE_CACHE: folder } = compileCache(process.env);
  if (folder !== undefined) enableCompileCache(folder);
}
