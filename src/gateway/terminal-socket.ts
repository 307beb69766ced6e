import { createHash } from "node:crypto";
import { join } from "node:path";
import { ownDirectory } from "../files/state-directory.ts";
import { readToken } from "./token-file.ts";

/** The systems allow 104 to 108 bytes for the path of a socket. */
const LONGEST_PATH = 100;

/**
 * Where `cox serve` takes questions of the user's own terminals; undefined if the state directory has a path that is too long for it.
 * A pipe of Windows is in no folder: its name has the token, so that no other user can guess it and listen there. Untested on Windows.
 */
export function terminalSocket(env: Readonly<Record<string, string | undefined>>): string | undefined {
  if (process.platform === "win32") {
    return `\\\\.\\pipe\\coxswain-${createHash("sha256").update(readToken(env).token).digest("hex").slice(0, 32)}`;
  }
  const path = join(ownDirectory(env, "serve"), "socket");
  return Buffer.byteLength(path) > LONGEST_PATH ? undefined : path;
}
