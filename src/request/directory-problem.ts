import { statSync } from "node:fs";

/** Why a directory cannot be used, as the end of a sentence about it; undefined if it can. */
export function directoryProblem(path: string): string | undefined {
  try {
    if (!statSync(path).isDirectory()) return "is a file";
    // `stat` of the entry `.` fails without the permission to enter the directory.
    statSync(`${path}/.`);
    return undefined;
  } catch {
    return "does not exist or cannot be entered";
  }
}
