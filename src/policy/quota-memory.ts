import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { replaceFile, stateDirectory } from "../process/private-files.ts";
import type { SpentQuota } from "../spec/policy.ts";

/** Whose quota it is: a provider's, or that of one of its logins, of one model, of an API key's account. */
export type QuotaOwner = Pick<SpentQuota, "provider" | "profile" | "model" | "account">;

/** The same text for the same owner. */
export function keyOf({ provider, profile, model, account }: QuotaOwner): string {
  return JSON.stringify([provider, profile ?? null, model ?? null, account ?? null]);
}

/** Nothing that is real lasts longer. */
const LONGEST_MS = 366 * 24 * 60 * 60 * 1000;
/** A file beside the one it was to replace, left by a host that died; by then it is of no use to anybody. */
const LEFT_AFTER_MS = 60_000;

/**
 * The spent quotas. Those that say when they open again are for every process of this user to know, one file each: writing one
 * never touches another, and a file is replaced in one step. A file that cannot be read counts as absent.
 */
export class QuotaMemory {
  private readonly directory: string;
  /** Nobody said when these open again, so that they are not worth a file. */
  private readonly presumed = new Map<string, SpentQuota>();

  constructor(env: Readonly<Record<string, string | undefined>>) {
    this.directory = join(stateDirectory(env), "quota");
  }

  /** What is known of this owner and not over yet. */
  find(owner: QuotaOwner, now: number): SpentQuota | undefined {
    return [this.read(this.pathOf(owner)), this.presumed.get(keyOf(owner))].find((spent) => isSpent(spent, now));
  }

  /** Remembers it; where no file can be written this client alone does. */
  remember(spent: SpentQuota): void {
    try {
      if (spent.isPresumed === undefined) return replaceFile(this.pathOf(spent), `${JSON.stringify(spent)}\n`);
    } catch {}
    this.presumed.set(keyOf(spent), spent);
  }

  /** Forgets one owner. */
  forget(owner: QuotaOwner): void {
    this.presumed.delete(keyOf(owner));
    removeFile(this.pathOf(owner));
  }

  /** All that is known and not over yet, the soonest first; files of ours that are over or were left behind are removed. */
  list(now: number): readonly SpentQuota[] {
    const written = this.files().flatMap((path) => {
      const entry = this.read(path);
      if (entry === undefined ? isLeftOver(path, now) : !isSpent(entry, now)) removeFile(path);
      return entry ?? [];
    });
    return [...written, ...this.presumed.values()]
      .filter((entry) => isSpent(entry, now))
      .toSorted((one, other) => Date.parse(one.resetAt) - Date.parse(other.resetAt));
  }

  private files(): readonly string[] {
    try {
      return readdirSync(this.directory).map((name) => join(this.directory, name));
    } catch {
      return [];
    }
  }

  /** A file tells of the owner for whom it is named, or of nobody. */
  private read(path: string): SpentQuota | undefined {
    const entry = readEntry(path);
    return entry !== undefined && this.pathOf(entry) === path ? entry : undefined;
  }

  private pathOf(owner: QuotaOwner): string {
    const { provider } = owner;
    const key = createHash("sha256").update(keyOf(owner)).digest("hex").slice(0, 16);
    return join(this.directory, `${provider.replace(/[^\w-]/g, "_")}-${key}.json`);
  }
}

function isSpent(spent: SpentQuota | undefined, now: number): boolean {
  const leftMs = spent === undefined ? 0 : Date.parse(spent.resetAt) - now;
  return leftMs > 0 && leftMs <= LONGEST_MS;
}

/** What is ours by its name and of no use: an entry that cannot be read, or what a host that died was writing. */
function isLeftOver(path: string, now: number): boolean {
  if (!/-[0-9a-f]{16}\.json(?:\.\d+-[0-9a-f]{8})?$/.test(path)) return false;
  try {
    return now - statSync(path).mtimeMs > LEFT_AFTER_MS;
  } catch {
    return false;
  }
}

function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch {}
}

/** Most often there is no file, and to look costs less than to fail. */
function readEntry(path: string): SpentQuota | undefined {
  try {
    if (statSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    return isSpentQuota(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isSpentQuota(value: unknown): value is SpentQuota {
  if (typeof value !== "object" || value === null || "isPresumed" in value) return false;
  const { provider, profile, model, account, resetAt, seenAt, message } = value as Partial<Record<keyof SpentQuota, unknown>>;
  const texts = [provider, message, profile ?? "", model ?? "", account ?? ""];
  return texts.every((text) => typeof text === "string") && [resetAt, seenAt].every(isTime);
}

/** Exactly as we write it, so that nothing else comes along. */
function isTime(value: unknown): boolean {
  return (
    typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(value) && !Number.isNaN(Date.parse(value))
  );
}
