import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ownDirectory, replaceFile, UnusableDirectory } from "../files/state-directory.ts";
import { createFailure, thrownMessage } from "../spec/failure/failure.ts";
import { refusalOf } from "../spec/failure/run-error.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The token of the user's gateways, and the private file in which it is stored. */
export type StoredToken = { readonly token: string; readonly path: string };

/**
 * Reads the token; makes one at the first call. With `renew` a new one replaces it; running gateways keep the old one. Throws a RunError if the state
 * directory cannot be used.
 */
export function readToken(env: Environment, { renew = false }: { readonly renew?: boolean } = {}): StoredToken {
  try {
    return readOrMake(env, renew);
  } catch (error) {
    const hint = error instanceof UnusableDirectory ? { hint: error.hint } : {};
    throw refusalOf(createFailure("state-unusable", `The token of the gateway cannot be stored: ${thrownMessage(error)}.`, hint));
  }
}

function readOrMake(env: Environment, renew: boolean): StoredToken {
  const path = join(ownDirectory(env, "serve"), "token");
  const stored = renew ? undefined : readStored(path);
  if (stored !== undefined) return { token: stored, path };
  const token = `cox-${randomBytes(24).toString("base64url")}`;
  replaceFile(path, `${token}\n`);
  return { token, path };
}

/** The token in the file; undefined if there is none, or if it was cut to a text that could be guessed. */
function readStored(path: string): string | undefined {
  try {
    return /^(\S{16,})\n?$/.exec(readFileSync(path, "utf8"))?.[1];
  } catch {
    return undefined;
  }
}

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
