import { statSync } from "node:fs";

/** Why nobody can work in a directory, as the end of a sentence about it; undefined when it is usable. */
export function directoryProblem(path: string): string | undefined {
  try {
    if (!statSync(path).isDirectory()) return "is a file";
    // Only who may enter a directory may look at its own entry in it.
    statSync(`${path}/.`);
    return undefined;
  } catch {
    return "does not exist or cannot be entered";
  }
}
