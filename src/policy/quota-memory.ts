import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { isOwnState, replaceFile, stateDirectory } from "../files/state-directory.ts";
import type { SpentQuota } from "../spec/client-options.ts";
import type { ModelWords } from "../spec/provider/provider-facts.ts";

/** The owner of a quota: a provider, or one login, model or API key of it. */
export type QuotaOwner = Pick<SpentQuota, "provider" | "profile" | "model" | "account">;

/** Equal owners have equal keys. */
export function keyOf({ provider, profile, model, account }: QuotaOwner): string {
  return JSON.stringify([provider, profile ?? null, model ?? null, account ?? null]);
}

/** Entries with a later reset time are ignored. */
const LONGEST_MS = 366 * 24 * 60 * 60 * 1000;
/** A temporary file of this age was left by a host that died while it wrote an entry. */
const LEFT_AFTER_MS = 60_000;

/**
 * The used-up quotas. Those with a stated reset time are shared by all processes of this user, one file each: writing one never
 * touches another, and a file is replaced atomically. An unreadable file counts as absent, and so does every file of a state
 * directory that another user could change.
 */
export class QuotaMemory {
  private readonly state: string;
  private readonly directory: string;
  /** Quotas without a stated reset time; they are not written to files. */
  private readonly presumed = new Map<string, SpentQuota>();

  /** The file of each owner that was asked for. */
  private readonly paths = new Map<string, string>();

  constructor(env: Readonly<Record<string, string | undefined>>) {
    this.state = stateDirectory(env);
    this.directory = join(this.state, "quota");
  }

  /** Undefined if there is no entry, or if it has expired. */
  find(owner: QuotaOwner, now: number): SpentQuota | undefined {
    const key = keyOf(owner);
    return [this.read(this.pathOf(owner, key)), this.presumed.get(key)].find((spent) => isSpent(spent, now));
  }

  /** If the file of the entry cannot be written, only this client has the entry. */
  remember(spent: SpentQuota): void {
    try {
      if (spent.isPresumed === undefined && isOwnState(this.state))
        return replaceFile(this.pathOf(spent), `${JSON.stringify(spent)}\n`);
    } catch {}
    this.presumed.set(keyOf(spent), spent);
  }

  forget(owner: QuotaOwner): void {
    this.presumed.delete(keyOf(owner));
    if (isOwnState(this.state)) removeFile(this.pathOf(owner));
  }

  /** All entries that have not expired, soonest reset first. Removes expired files and leftover temporary files. */
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

  /** Removes the entries of one provider or of all, and returns them. */
  forgetAll(now: number, provider: string | undefined): readonly SpentQuota[] {
    const forgotten = this.list(now).filter((spent) => provider === undefined || spent.provider === provider);
    for (const spent of forgotten) this.forget(spent);
    return forgotten;
  }

  private files(): readonly string[] {
    try {
      if (!isOwnState(this.state)) return [];
      return readdirSync(this.directory).map((name) => join(this.directory, name));
    } catch {
      return [];
    }
  }

  /** The entry of a file, if the file name matches its owner. */
  private read(path: string): SpentQuota | undefined {
    const entry = isOwnState(this.state) ? readEntry(path) : undefined;
    return entry !== undefined && this.pathOf(entry) === path ? entry : undefined;
  }

  private pathOf(owner: QuotaOwner, key: string = keyOf(owner)): string {
    const known = this.paths.get(key);
    if (known !== undefined) return known;
    const digest = createHash("sha256").update(key).digest("hex").slice(0, 16);
    const path = join(this.directory, `${owner.provider.replace(/[^\w-]/g, "_")}-${digest}.json`);
    this.paths.set(key, path);
    return path;
  }
}

function isSpent(spent: SpentQuota | undefined, now: number): boolean {
  const leftMs = spent === undefined ? 0 : Date.parse(spent.resetAt) - now;
  return leftMs > 0 && leftMs <= LONGEST_MS;
}

/** True for an unreadable entry or a temporary file of a dead host, by its name and age. */
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

/** Usually there is no file, and statSync is cheaper than a failing read. */
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

/** True for ISO times in the format that this class writes. */
function isTime(value: unknown): boolean {
  return (
    typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(value) && !Number.isNaN(Date.parse(value))
  );
}

/** Words in model names of every vendor that do not distinguish models. */
const COMMON_WORDS: readonly string[] = ["latest", "preview"];
const NO_WORDS: ModelWords = { brands: [], families: [] };

/** The words before "limit" that may name a model: "your Opus 4 weekly limit". */
const BEFORE_LIMIT = /((?:[\w.-]+ ){1,4})(?:limit|quota)\b/gi;

/** True if the message of a used-up quota is about the requested model, not about the whole account. */
export function isAboutModel(message: string, model: string, { brands, families }: ModelWords = NO_WORDS): boolean {
  const name = model.toLowerCase();
  const common = [...COMMON_WORDS, ...brands];
  if (/\bthis model\b/i.test(message)) return true;
  if (wordsIn(message).includes(name) && ![...common, ...families].includes(name)) return true;
  const specific = name.split(/[^a-z]+/).filter((part) => part.length > 2 && !common.includes(part));
  return wordsBeforeLimit(message).some((word) => specific.includes(word));
}

/** True if the message names a family of models, whichever model was requested. */
export function namesFamily(message: string, { families }: ModelWords = NO_WORDS): boolean {
  return wordsBeforeLimit(message).some((word) => families.includes(word));
}

function wordsBeforeLimit(message: string): readonly string[] {
  return [...message.matchAll(BEFORE_LIMIT)].flatMap(([, before = ""]) => wordsIn(before));
}

function wordsIn(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/[^\w.:/-]+|[.:](?=\s|$)/)
    .filter((word) => word !== "");
}
