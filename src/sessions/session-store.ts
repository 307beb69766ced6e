import { createHash } from "node:crypto";
import { appendFileSync, existsSync, readdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { removeQuietly } from "../files/leftovers.ts";
import { isOwnState, makeDirectory, ownDirectory, replaceFile, stateDirectory } from "../files/state-directory.ts";
import type { ProcessIdentity } from "../process/tree/process-table.ts";
import type { Message } from "../spec/message.ts";
import type { SessionRecord } from "../spec/session.ts";
import { claimSession, type SessionClaim } from "./session-claim.ts";
import { isRecordId, newRecordId, readRecord } from "./session-record.ts";

/** A temporary file of this age was left by a host that died while it wrote a record. */
const LEFT_AFTER_MS = 60_000;

/**
 * The stored sessions: for each a record, which is replaced atomically, a file with the texts of its turns, to which lines are only
 * appended, and its claims. All files have access for their owner only.
 */
export class SessionStore {
  private readonly env: Readonly<Record<string, string | undefined>>;

  constructor(env: Readonly<Record<string, string | undefined>>) {
    this.env = env;
  }

  /** Claims a session for one turn; returns the process that holds it if another turn is in progress. Throws if nothing can be stored. */
  claim(id: string): SessionClaim | ProcessIdentity {
    return claimSession(ownDirectory(this.env, "sessions"), id);
  }

  /** Undefined if there is no record that can be read. */
  read(id: string): SessionRecord | undefined {
    if (!isRecordId(id) || !isOwnState(stateDirectory(this.env))) return undefined;
    const record = readRecord(readJson(this.pathOf(id, "json")));
    return record?.id === id ? record : undefined;
  }

  /** The record with this id, with this name, or whose CLI session has this id. */
  find(name: string): SessionRecord | undefined {
    const id = name.toLowerCase();
    return this.read(id) ?? this.read(newRecordId(name)) ?? this.ofCli(name)[0];
  }

  /** The records whose CLI session has this id, the last used first. */
  ofCli(session: string): readonly SessionRecord[] {
    if (!isOwnState(stateDirectory(this.env))) return [];
    const ids = new CliIndex(stateDirectory(this.env)).find(session, () => this.list());
    const records = ids.flatMap((id) => this.read(id) ?? []);
    return lastUsedFirst(records.filter(({ cli }) => cli?.id.toLowerCase() === session.toLowerCase()));
  }

  /** Throws if the record cannot be written. */
  write(record: SessionRecord): void {
    ownDirectory(this.env, "sessions");
    // An entry without a record finds nothing; a record without its entry would not be found.
    new CliIndex(stateDirectory(this.env)).add(record);
    replaceFile(this.pathOf(record.id, "json"), `${JSON.stringify(record)}\n`);
  }

  /** Adds the messages of a turn to the thread. They count as soon as the record has that turn. Throws if they cannot be written. */
  addTurn(id: string, turn: number, messages: readonly Message[]): void {
    ownDirectory(this.env, "sessions");
    // A line that a dead host left unfinished must not swallow this one.
    appendFileSync(this.pathOf(id, "jsonl"), `\n${JSON.stringify({ turn, messages })}\n`, { mode: 0o600 });
  }

  /** The messages of all turns that the record counts. */
  readThread({ id, turns }: SessionRecord): readonly Message[] {
    const byTurn = new Map<number, readonly Message[]>();
    for (const line of readText(this.pathOf(id, "jsonl")).split("\n")) {
      const stored = parseTurn(line);
      // A host that died before it wrote the record left a turn that is written again.
      if (stored !== undefined && stored.turn <= turns) byTurn.set(stored.turn, stored.messages);
    }
    return [...byTurn.entries()].toSorted(([one], [other]) => one - other).flatMap(([, messages]) => messages);
  }

  /** All records, the last used first. Removes temporary files that dead hosts left. */
  list(): readonly SessionRecord[] {
    const records = this.files().flatMap((name) => {
      if (/\.\d+-[0-9a-f]{8}$/.test(name)) removeOld(join(this.directory(), name));
      return name.endsWith(".json") ? (this.read(name.slice(0, -".json".length)) ?? []) : [];
    });
    return lastUsedFirst(records);
  }

  remove(id: string): void {
    const record = this.read(id);
    if (record !== undefined) new CliIndex(stateDirectory(this.env)).remove(record);
    removeQuietly(
      this.files()
        .filter((name) => name.startsWith(`${id}.`))
        .map((name) => join(this.directory(), name)),
    );
  }

  private files(): readonly string[] {
    try {
      return isOwnState(stateDirectory(this.env)) ? readdirSync(this.directory()) : [];
    } catch {
      return [];
    }
  }

  private directory(): string {
    return join(stateDirectory(this.env), "sessions");
  }

  private pathOf(id: string, ending: "json" | "jsonl"): string {
    return join(this.directory(), `${id}.${ending}`);
  }
}

function lastUsedFirst(records: readonly SessionRecord[]): readonly SessionRecord[] {
  return records.toSorted((one, other) => Date.parse(other.updatedAt) - Date.parse(one.updatedAt));
}

function removeOld(path: string): void {
  const writtenAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
  if (Date.now() - writtenAt > LEFT_AFTER_MS) removeQuietly([path]);
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readText(path));
  } catch {
    return undefined;
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function parseTurn(line: string): { readonly turn: number; readonly messages: readonly Message[] } | undefined {
  if (line === "") return undefined;
  try {
    const { turn, messages } = JSON.parse(line);
    const isSound = Number.isInteger(turn) && Array.isArray(messages) && messages.every(isMessage);
    return isSound ? { turn, messages } : undefined;
  } catch {
    return undefined;
  }
}

function isMessage(value: unknown): boolean {
  return typeof value === "object" && value !== null && "text" in value && typeof value.text === "string" && "role" in value;
}

/**
 * Finds the records of a CLI's session without reading all of them: a folder for each id of a CLI's session, with an empty file for each record. An entry
 * is a hint: its record may have another session of the CLI by now, or be gone.
 */
class CliIndex {
  private readonly folder: string;

  constructor(state: string) {
    this.folder = join(state, "sessions-by-cli");
  }

  /** Throws if nothing can be written. */
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
