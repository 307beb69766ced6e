import { createHash, randomUUID } from "node:crypto";
import { checkRequestTypes } from "../request/settle.ts";
import { checkTarget } from "../request/targets.ts";
import { addCost } from "../run/known-totals.ts";
import { thrownMessage } from "../spec/failure/failure.ts";
import { UUID } from "../spec/fields.ts";
import { defined, isJsonObject } from "../spec/json.ts";
import type { RunResult } from "../spec/result.ts";
import type { CliSession, SessionOptions, SessionRecord, SessionSettings } from "../spec/session.ts";
import { addUsage } from "../spec/wire/usage.ts";

/** True if the text can be the id of a session, and so the name of a file. */
export function isRecordId(text: string): boolean {
  return UUID.test(text) && text === text.toLowerCase();
}

/** The id of a new session. That of a name is always the same, so that two processes cannot create two sessions with one name. */
export function newRecordId(name: string | undefined): string {
  if (name === undefined) return randomUUID();
  const digits = createHash("sha256").update(`session ${name}`).digest("hex");
  const groups = [digits.slice(0, 8), digits.slice(8, 12), `8${digits.slice(13, 16)}`, `8${digits.slice(17, 20)}`];
  return [...groups, digits.slice(20, 32)].join("-");
}

const SECRET_SETTINGS = ["env", "mcpServers"] as const;

export function newRecord(
  { target: _, cwd: __, name, keepThread = true, ...settings }: SessionOptions,
  about: Pick<SessionRecord, "targets" | "cwd"> & { readonly now: number },
): SessionRecord {
  const { stored, leftOut } = withoutSecrets(settings);
  const time = new Date(about.now).toISOString();
  return {
    id: newRecordId(name),
    ...defined({ name }),
    targets: about.targets,
    cwd: about.cwd,
    settings: stored,
    leftOut,
    keepsThread: keepThread,
    turns: 0,
    createdAt: time,
    updatedAt: time,
  };
}

/** The settings that are stored, and the names of the others. */
export function withoutSecrets(settings: SessionSettings): {
  readonly stored: SessionSettings;
  readonly leftOut: readonly string[];
} {
  const { env: _, mcpServers: __, ...stored } = settings;
  return { stored, leftOut: SECRET_SETTINGS.filter((name) => settings[name] !== undefined) };
}

export function withTurn(record: SessionRecord, result: RunResult, cli: CliSession | undefined, now: number): SessionRecord {
  const { cli: _, ...rest } = withSpent(record, result, now);
  return { ...rest, ...defined({ cli }), turns: record.turns + 1, updatedAt: new Date(now).toISOString() };
}

/** The record with the tokens and the cost of a turn in its totals; totals of the CLI's session that contain earlier turns are not added. */
export function withSpent(record: SessionRecord, result: RunResult, now: number): SessionRecord {
  const usage = result.usage?.scope === "thread" ? undefined : result.usage;
  const costUsd = result.costScope === "thread" ? undefined : result.costUsd;
  if (usage === undefined && costUsd === undefined) return record;
  return {
    ...record,
    ...(usage !== undefined && { usage: { ...addUsage(record.usage, usage), scope: "thread" } }),
    ...(costUsd !== undefined && { costUsd: addCost(record.costUsd ?? 0, costUsd) }),
    updatedAt: new Date(now).toISOString(),
  };
}

type Values = Readonly<Record<string, unknown>>;

/**
 * The value of a file if it is a record; undefined for any other. The settings of a damaged record are left out: no turn of it can begin, and `damageOf`
 * says why.
 */
export function readRecord(value: unknown): SessionRecord | undefined {
  if (!isJsonObject(value) || !isSound(value)) return undefined;
  const record = value as SessionRecord;
  const problem = settingsProblem(record.settings);
  if (problem === undefined) return record;
  const readable = { ...record, settings: {}, leftOut: [] };
  damages.set(readable, problem);
  return readable;
}

/** Why the stored settings of a record that was read cannot be used. */
export function damageOf(record: SessionRecord): string | undefined {
  return damages.get(record);
}

const damages = new WeakMap<SessionRecord, string>();

function isSound(record: Values): boolean {
  const { id, name, cwd, targets, settings, leftOut, keepsThread, cli, answeredBy, turns, lastTurn, createdAt, updatedAt } =
    record;
  return (
    [id, cwd, createdAt, updatedAt].every(isText) &&
    [name, lastTurn].every((text) => text === undefined || isText(text)) &&
    isRecordId(String(id)) &&
    areTargets(targets) &&
    (answeredBy === undefined || areTargets([answeredBy])) &&
    isJsonObject(settings) &&
    Array.isArray(leftOut) &&
    leftOut.every(isText) &&
    typeof keepsThread === "boolean" &&
    Number.isInteger(turns) &&
    areTotals(record) &&
    (cli === undefined || isCliSession(cli))
  );
}

function isCliSession(cli: unknown): boolean {
  if (!isJsonObject(cli) || ![cli["id"], cli["provider"]].every(isText)) return false;
  const { profile, isFork, totals = [] } = cli;
  const isWhole = (profile === undefined || isText(profile)) && (isFork === undefined || typeof isFork === "boolean");
  return isWhole && Array.isArray(totals) && totals.every((each) => isJsonObject(each) && areTotals(each));
}

function areTotals({ usage, costUsd }: Values): boolean {
  if (usage !== undefined && !isJsonObject(usage)) return false;
  const counts = Object.entries(usage ?? {}).flatMap(([name, count]) => (name.endsWith("Tokens") ? [count] : []));
  return [...counts, costUsd ?? 0].every((count) => typeof count === "number" && count >= 0);
}

function areTargets(targets: unknown): boolean {
  try {
    if (!Array.isArray(targets) || targets.length === 0) return false;
    for (const target of targets) checkTarget(target);
    return true;
  } catch {
    return false;
  }
}

/** The settings become a part of each request, and a request with wrong types is a mistake of the caller's code, which throws. */
function settingsProblem(settings: SessionSettings): string | undefined {
  try {
    checkRequestTypes({ ...settings, prompt: "" });
    const { addDirs, permissions } = settings;
    const { mode, ...lists } = permissions ?? {};
    const wrong = Object.entries({ addDirs, ...lists }).find(([, list]) => list !== undefined && !isTextList(list));
    return wrong && `${wrong[0]} must be a list of texts.`;
  } catch (error) {
    return thrownMessage(error);
  }
}

function isTextList(list: unknown): boolean {
  return Array.isArray(list) && list.every(isText);
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}
