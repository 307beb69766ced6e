import { appendFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { thrownCode, thrownMessage } from "../../spec/failure/failure.ts";

/**
 * Opens a file to which lines are added. Only its owner may read a file that is made here; one that exists keeps its mode. Throws an error that
 * names the file if it cannot be written.
 */
export function openLogFile(file: string): (text: string) => void {
  // The directory of the process may change later.
  const path = resolve(file);
  // Written at once, because a program that exits would lose what waits.
  const append = (text: string): void => appendFileSync(path, text, { mode: 0o600 });
  try {
    append("");
  } catch (error) {
    throw new Error(`The log file ${path} cannot be written: ${reasonOf(error, path)}.`, { cause: error });
  }
  return append;
}

function reasonOf(error: unknown, path: string): string {
  switch (thrownCode(error)) {
    case "ENOENT":
      return `the directory ${dirname(path)} does not exist`;
    case "EISDIR":
      return "it is a directory";
    case "EACCES":
    case "EPERM":
      return "this user may not write it";
    default:
      return thrownMessage(error);
  }
}
