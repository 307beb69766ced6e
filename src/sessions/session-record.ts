import { createHash, randomUUID } from "node:crypto";
import { addCost, addUsage, COUNTS } from "../run/add-usage.ts";
import type { RunResult } from "../spec/result.ts";
import type { CliSession, SessionOptions, SessionRecord, SessionSettings } from "../spec/session.ts";
import type { Usage } from "../spec/usage.ts";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** True if the text can be the id of a session, and so the name of a file. */
export function isRecordId(text: string): boolean {
  return UUID.test(text);
}

/** The id of a new session. That of a name is always the same, so that two processes cannot create two sessions with one name. */
export function newRecordId(name: string | undefined): string {
  if (name === undefined) return randomUUID();
  const digits = createHash("sha256").update(`session ${name}`).digest("hex");
  const groups = [digits.slice(0, 8), digits.slice(8, 12), `8${digits.slice(13, 16)}`, `8${digits.slice(17, 20)}`];
  return [...groups, digits.slice(20, 32)].join("-");
}

/** Settings that may contain secrets. */
const SECRET_SETTINGS = ["env", "mcpServers"] as const;

/** The record of a new session. */
export function newRecord(
  { target: _, cwd: __, name, keepThread = true, ...settings }: SessionOptions,
  about: Pick<SessionRecord, "targets" | "cwd"> & { readonly now: number },
): SessionRecord {
  const { stored, leftOut } = withoutSecrets(settings);
  const time = new Date(about.now).toISOString();
  return {
    id: newRecordId(name),
    ...(name !== undefined && { name }),
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

/** The record with one more turn and its totals. */
export function withTurn(record: SessionRecord, result: RunResult, cli: CliSession | undefined, now: number): SessionRecord {
  const { cli: before, ...rest } = withSpent(record, result, now);
  const { usage } = result;
  const earlier = isSame(before, cli) ? before?.usage : undefined;
  const inCli = usage === undefined || usage.scope === "thread" ? usage : addUsage(earlier, usage);
  return {
    ...rest,
    ...(cli !== undefined && { cli: { ...cli, ...(inCli !== undefined && { usage: inCli }) } }),
    turns: record.turns + 1,
    updatedAt: new Date(now).toISOString(),
  };
}

/** The record with the tokens and the cost of a turn in its totals; the same record if there are none. */
export function withSpent(record: SessionRecord, { usage, costUsd }: RunResult, now: number): SessionRecord {
  if (usage === undefined && costUsd === undefined) return record;
  const spent = usage && ofTurn(usage, record.cli);
  return {
    ...record,
    ...(spent !== undefined && { usage: { ...addUsage(record.usage, spent), scope: "thread" } }),
    ...(costUsd !== undefined && { costUsd: addCost(record.costUsd ?? 0, costUsd) }),
    updatedAt: new Date(now).toISOString(),
  };
}

/** Codex and Qwen Code report the tokens of the whole session of the CLI. */
function ofTurn(usage: Usage, before: CliSession | undefined): Usage {
  const earlier = before?.usage;
  if (usage.scope !== "thread" || earlier === undefined) return usage;
  const counts = COUNTS.flatMap((name) => {
    const count = usage[name];
    return count === undefined ? [] : [[name, Math.max(0, count - (earlier[name] ?? 0))] as const];
  });
  return { ...Object.fromEntries(counts), estimated: usage.estimated, scope: "turn" };
}

function isSame(one: CliSession | undefined, other: CliSession | undefined): boolean {
  return one !== undefined && one.provider === other?.provider && one.id === other.id;
}

/** The value of a file if it is a record; undefined for any other. */
export function readRecord(value: unknown): SessionRecord | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const record = value as Partial<Record<keyof SessionRecord, unknown>>;
  const { id, name, targets, cwd, settings, leftOut, turns, createdAt, updatedAt, cli } = record;
  const texts = [id, name ?? "", cwd, createdAt, updatedAt, ...(isObject(cli) ? [cli["id"], cli["provider"]] : [])];
  const isSound =
    texts.every((text) => typeof text === "string") &&
    isRecordId(String(id)) &&
    Array.isArray(targets) &&
    targets.length > 0 &&
    targets.every((target) => isObject(target) && typeof target["provider"] === "string") &&
    isObject(settings) &&
    Array.isArray(leftOut) &&
    Number.isInteger(turns) &&
    typeof record.keepsThread === "boolean" &&
    (cli === undefined || isObject(cli));
  return isSound ? (value as SessionRecord) : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
