import { createHash } from "node:crypto";
import { existsSync, readdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { removeQuietly } from "../files/remove-files.ts";
import { makeDirectory } from "../files/state-directory.ts";
import type { SessionRecord } from "../spec/session.ts";

/**
 * Finds the records of a CLI's session without reading all of them: a folder for each id of a CLI's session, with an empty file for each record. An entry
 * is a hint: its record may have another session of the CLI by now, or be gone.
 */
export class CliIndex {
  private readonly folder: string;

  constructor(state: string) {
    this.folder = join(state, "sessions-by-cli");
  }

  /** Adds a record; throws if nothing can be written. */
  add({ id, cli }: SessionRecord): void {
    if (cli === undefined) return;
    const folder = this.folderOf(cli.id);
    const path = join(folder, id);
    if (existsSync(path)) return;
    makeDirectory(folder);
    writeFileSync(path, "", { mode: 0o600 });
  }

  remove({ id, cli }: SessionRecord): void {
    if (cli === undefined) return;
    const folder = this.folderOf(cli.id);
    removeQuietly([join(folder, id)]);
    try {
      rmdirSync(folder);
    } catch {
      // Another record has the same session of the CLI, as a fork before its first turn.
    }
  }

  /** The ids of the records that had this session of a CLI. Records from before the index are added at the first call. */
  find(session: string, readAll: () => readonly SessionRecord[]): readonly string[] {
    const complete = join(this.folder, "complete");
    if (!existsSync(complete)) {
      const all = readAll();
      this.tryToComplete(all, complete);
      return all.filter(({ cli }) => cli?.id.toLowerCase() === session.toLowerCase()).map(({ id }) => id);
    }
    try {
      return readdirSync(this.folderOf(session));
    } catch {
      return [];
    }
  }

  /** A search does not fail because the index cannot be written. */
  private tryToComplete(all: readonly SessionRecord[], complete: string): void {
    try {
      for (const record of all) this.add(record);
      // Without a record there is nothing to speed up, and no folder to make.
      if (all.length > 0) writeFileSync(complete, "", { mode: 0o600 });
    } catch {}
  }

  /** The id of a CLI's session is foreign text; ids are compared without regard to capital letters. */
  private folderOf(session: string): string {
    return join(this.folder, createHash("sha256").update(session.toLowerCase()).digest("hex").slice(0, 32));
  }
}
