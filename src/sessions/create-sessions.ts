import { globSync } from "node:fs";
import { join, resolve as resolvePath } from "node:path";
import { removeQuietly } from "../files/leftovers.ts";
import { privateHomePath } from "../files/private-home.ts";
import { stateDirectory, userHome } from "../files/state-directory.ts";
import { checkRequestTypes } from "../request/settle.ts";
import { findProvider, targetsOf, wordsOf } from "../request/targets.ts";
import type { TotalsStore } from "../run/known-totals.ts";
import { createFailure, type Failure } from "../spec/failure/failure.ts";
import { refusalOf } from "../spec/failure/run-error.ts";
import { checkNames } from "../spec/fields.ts";
import { defined } from "../spec/json.ts";
import type { Targets } from "../spec/request.ts";
import type {
  ResumeOptions,
  Session,
  SessionMethods,
  SessionOptions,
  SessionRecord,
  SessionRemoval,
  SessionSettings,
} from "../spec/session.ts";
import { OpenedSession, type SessionHost } from "./session.ts";
import { damageOf, newRecord, newRecordId, withoutSecrets } from "./session-record.ts";
import { SessionStore } from "./session-store.ts";
import { busy, OwnTurns, usingState } from "./session-turn.ts";

type SessionsHost = Omit<SessionHost, "store" | "ownTurns"> & {
  readonly env: Readonly<Record<string, string | undefined>>;
};

export function createSessions(about: SessionsHost): SessionMethods {
  const store = new SessionStore(about.env);
  about.totals.shareBy(totalsIn(store));
  const host: SessionHost = { ...about, store, ownTurns: new OwnTurns() };
  return {
    session: (options) => beginSession(host, options),
    resume: (id, options = {}) => {
      if (typeof id !== "string") throw new TypeError("The id of a session must be a string.");
      checkSettings(options);
      const record = store.find(id);
      return record === undefined ? undefined : continueSession(host, record, options);
    },
    sessions: () => store.list(),
    removeSession: (id, options = {}) => {
      if (typeof id !== "string") throw new TypeError("The id of a session must be a string.");
      checkNames("removeSession", options, { transcript: true });
      const { transcript = false } = options;
      const record = store.find(id);
      return record === undefined ? undefined : usingState(() => removeSession(about, store, record, transcript));
    },
  };
}

function beginSession(host: SessionHost, options: SessionOptions): Session {
  checkOptions(options);
  const { name, target, cwd = "." } = options;
  const existing = name === undefined ? undefined : host.store.read(newRecordId(name));
  const { target: _, cwd: __, name: ___, keepThread: ____, ...settings } = options;
  if (existing !== undefined) return continueSession(host, existing, secretsIn(settings));
  const found = host.resolve(target);
  // An unknown name is refused with the first message, unless the session is handed over before.
  const targets: Targets = "code" in found ? [{ provider: wordsOf(target) }] : targetsOf(found);
  const record = newRecord(options, { targets, cwd: resolvePath(cwd), now: host.now() });
  return new OpenedSession(host, { record, settings });
}

/** An existing session has its own settings; only those that are not stored come from the caller. */
function secretsIn({ env, mcpServers }: SessionSettings): ResumeOptions {
  return defined({ env, mcpServers });
}

function checkOptions(options: SessionOptions): void {
  if (typeof options !== "object" || options === null)
    throw new TypeError("The options of a session are an object with a target.");
  const { target: _, cwd, name, keepThread, ...settings } = options;
  if (cwd !== undefined && typeof cwd !== "string") throw new TypeError("cwd must be a string.");
  if (keepThread !== undefined && typeof keepThread !== "boolean") throw new TypeError("keepThread must be true or false.");
  if (name !== undefined && (typeof name !== "string" || name.trim() === ""))
    throw new TypeError("The name of a session must be a string that is not empty.");
  checkSettings(settings);
}

function checkSettings(settings: ResumeOptions): void {
  for (const field of ["prompt", "messages", "images", "outputSchema", "session", "metadata"])
    if (field in settings) throw new TypeError(`${field} belongs to a message, not to the session.`);
  checkRequestTypes({ ...settings, prompt: "" });
}

function continueSession(host: SessionHost, record: SessionRecord, changes: ResumeOptions): Session {
  const damage = damageOf(record);
  if (damage !== undefined)
    return new OpenedSession(host, { record, settings: {}, refusal: damaged(record, damage), isDamaged: true });
  const { cwd, ...changed } = changes;
  const settings: SessionSettings = { ...record.settings, ...changed };
  const { stored, leftOut } = withoutSecrets(settings);
  const refusal = wrongDirectory(record, cwd) ?? wrongMode(record, changed) ?? missingSettings(record, leftOut);
  return new OpenedSession(host, { record: { ...record, settings: stored, leftOut }, settings, refusal });
}

function damaged({ id }: SessionRecord, problem: string): Failure {
  const hint = "Start a new session. cox sessions shows the conversation of this one.";
  return createFailure("session-invalid", `The stored settings of the session ${id} cannot be used: ${problem}`, { hint });
}

function wrongDirectory(record: SessionRecord, cwd: string | undefined): Failure | undefined {
  if (cwd === undefined || resolvePath(cwd) === record.cwd) return undefined;
  return createFailure("session-invalid", `The session ${record.id} belongs to ${record.cwd}, not to ${resolvePath(cwd)}.`, {
    hint: "Resume it in its own directory, or start a new session.",
  });
}

/** A CLI binds its sessions to a directory, and each mode has its own. */
function wrongMode({ id, settings }: SessionRecord, { mode }: ResumeOptions): Failure | undefined {
  const { mode: own = "completion" } = settings;
  if (mode === undefined || mode === own) return undefined;
  return createFailure("session-invalid", `The session ${id} is in ${own} mode, which cannot be changed.`, {
    hint: `Resume it in ${own} mode, or start a new session.`,
  });
}

function missingSettings(record: SessionRecord, given: readonly string[]): Failure | undefined {
  const missing = record.leftOut.filter((name) => !given.includes(name));
  if (missing.length === 0) return undefined;
  const names = missing.join(" and ");
  return createFailure("session-invalid", `The session ${record.id} was created with ${names}, which are not stored.`, {
    hint: `Pass ${names} to resume again.`,
  });
}

function removeSession(about: SessionsHost, store: SessionStore, record: SessionRecord, transcript: boolean): SessionRemoval {
  const claim = store.claim(record.id);
  if ("pid" in claim) throw refusalOf(busy(record, claim.pid));
  if (record.cli !== undefined) about.endProcesses(record.cli.id);
  const transcripts = findTranscripts(about, record);
  if (transcript) removeQuietly(transcripts);
  // The claim is removed with the other files.
  store.remove(record.id);
  return { record, transcripts, removedTranscripts: transcript && transcripts.length > 0 };
}

/** The totals in the records of sessions, for runs that continue a session of a CLI without its record. */
function totalsIn(store: SessionStore): TotalsStore {
  const recordsOf = (provider: string, session: string): readonly SessionRecord[] =>
    store.ofCli(session).filter(({ cli }) => cli?.provider === provider);
  return {
    read: (provider, session) => recordsOf(provider, session).flatMap(({ cli }) => cli?.totals ?? []),
    write: (provider, session, totals) => {
      for (const { id, cli } of recordsOf(provider, session))
        if (cli?.isFork !== true)
          changeRecord(store, id, (record) => ({ ...record, ...(record.cli && { cli: { ...record.cli, totals } }) }));
    },
  };
}

/** Changes a record that no turn uses. The run that has the totals does not fail because they cannot be stored. */
function changeRecord(store: SessionStore, id: string, change: (record: SessionRecord) => SessionRecord): void {
  try {
    const claim = store.claim(id);
    if ("pid" in claim) return;
    try {
      const record = store.read(id);
      if (record !== undefined && damageOf(record) === undefined) store.write(change(record));
    } finally {
      claim.release();
    }
  } catch {}
}

/** The files in which the CLI of a session stores it; empty if there are none or their place is not known. */
function findTranscripts(host: SessionsHost, { cli, cwd, settings }: SessionRecord): readonly string[] {
  const provider = cli === undefined ? undefined : findProvider(host, cli.provider);
  // The id becomes a part of a path and of a pattern.
  if (cli === undefined || cli.isFork === true || provider?.transcripts === undefined || !/^[\w-]+$/.test(cli.id)) return [];
  const { variable, folder, path } = provider.transcripts;
  const real = cli.profile ?? (host.env[variable] || join(userHome(host.env), folder));
  const isAgent = settings.mode === "agent";
  const home =
    isAgent || provider.privateHome === undefined ? real : privateHomePath({ env: host.env, provider: provider.id, real });
  const directory = isAgent ? cwd : join(stateDirectory(host.env), "empty");
  const pattern = path
    .replaceAll("<cwd>", directory.replace(/[^A-Za-z0-9]/g, "-"))
    .replaceAll("<id>", cli.id)
    .replaceAll("<id8>", cli.id.slice(0, 8));
  return globSync(pattern, { cwd: home }).map((found) => join(home, found));
}
