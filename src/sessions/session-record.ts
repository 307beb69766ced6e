import { createHash, randomUUID } from "node:crypto";
import { addCost } from "../run/known-totals.ts";
import { UUID } from "../spec/fields.ts";
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

export function withTurn(record: SessionRecord, result: RunResult, cli: CliSession | undefined, now: number): SessionRecord {
  const { cli: _, ...rest } = withSpent(record, result, now);
  return { ...rest, ...(cli !== undefined && { cli }), turns: record.turns + 1, updatedAt: new Date(now).toISOString() };
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
