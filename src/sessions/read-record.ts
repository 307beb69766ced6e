import { checkRequestTypes } from "../request/settle.ts";
import { parseTargets } from "../request/targets.ts";
import { thrownMessage } from "../spec/failure/failure.ts";
import { isJsonObject } from "../spec/json.ts";
import type { SessionRecord, SessionSettings } from "../spec/session.ts";
import { isRecordId } from "./session-record.ts";

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
    return Array.isArray(targets) && targets.every(isJsonObject) && parseTargets(targets as never).length > 0;
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
