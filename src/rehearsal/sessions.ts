import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ownDirectory } from "../files/state-directory.ts";
import { UUID } from "../spec/fields.ts";

const KEPT_PROMPTS = 20;
const KEPT_MS = 7 * 24 * 60 * 60 * 1000;

export type SessionPrompts = readonly string[];

/** True if the text can be the id of a session, and so the name of a file. */
export function isSessionId(text: string): boolean {
  return UUID.test(text);
}

export function readSession(id: string): SessionPrompts | undefined {
  try {
    const stored: unknown = JSON.parse(readFileSync(fileOf(id), "utf8"));
    return Array.isArray(stored) ? stored.filter((prompt) => typeof prompt === "string") : undefined;
  } catch {
    return undefined;
  }
}

/** Stores a session in the state directory, readable by its owner only, and removes those that are older than a week. */
export function storeSession(id: string, prompts: SessionPrompts): void {
  try {
    writeFileSync(fileOf(id), JSON.stringify(prompts.slice(-KEPT_PROMPTS)), { mode: 0o600 });
    removeOld(directory());
  } catch {
    // A session that cannot be stored is unknown later; the answer does not depend on it.
  }
}

function removeOld(folder: string): void {
  const oldest = Date.now() - KEPT_MS;
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if ((statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? oldest) < oldest) rmSync(file, { force: true });
  }
}

function fileOf(id: string): string {
  return join(directory(), `${id.toLowerCase()}.json`);
}

function directory(): string {
  return ownDirectory(process.env, "rehearsal");
}
