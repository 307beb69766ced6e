import { appendFileSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "../files/private-files.ts";
import { removeQuietly } from "../files/remove-files.ts";
import { isOwnState, ownDirectory, stateDirectory } from "../files/state-directory.ts";
import type { ProcessIdentity } from "../process/tree/process-identity.ts";
import type { Message } from "../spec/message.ts";
import type { SessionRecord } from "../spec/session.ts";
import { CliIndex } from "./cli-index.ts";
import { readRecord } from "./read-record.ts";
import { claimSession, type SessionClaim } from "./session-claim.ts";
import { isRecordId, newRecordId } from "./session-record.ts";

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

  /** The stored record; undefined if there is none that can be read. */
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

  /** Replaces the record of a session. Throws if it cannot be written. */
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

  /** Removes all files of a session. */
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
