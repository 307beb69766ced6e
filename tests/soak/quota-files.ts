import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { SpentQuota } from "../../src/spec/client-options.ts";
import { cooldownKey } from "./model/model-client.ts";
import type { DecidedPrediction } from "./model/prediction.ts";

/** A remembered quota: its key and its reset time. */
type Remembered = { readonly key: string; readonly until: number };

/** Reads all quota files of a directory; throws when one cannot be parsed. Ignores other files. */
export function readQuotaFiles(directory: string): readonly SpentQuota[] {
  let names: readonly string[] = [];
  try {
    names = readdirSync(directory);
  } catch {
    return [];
  }
  return names.filter((name) => name.endsWith(".json")).flatMap((name) => readIfThere(join(directory, name)));
}

/** Another client may remove an expired file between the listing and the reading. */
function readIfThere(path: string): readonly SpentQuota[] {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return [];
  }
  return [JSON.parse(text)];
}

/** The differences between the quota files and their prediction after a call that ended at `now` at the latest. */
export function compareQuotas(prediction: DecidedPrediction, found: readonly SpentQuota[], now: number): readonly string[] {
  const must = prediction.quotas.filter(({ where }) => where === "file").map(({ key, until }) => ({ key, until: until.max }));
  const written = found.filter(({ isPresumed }) => isPresumed === undefined);
  const were = written.map((spent) => ({ key: keyOf(spent), until: Date.parse(spent.resetAt) }));
  const [predicted, seen] = [textOf(must, now), textOf(were, now)];
  return predicted === seen ? [] : [`quota files: predicted [${predicted}], seen [${seen}]`];
}

/** The differences between the quotas in a client's memory and their prediction. */
export function comparePresumed(prediction: DecidedPrediction, found: readonly SpentQuota[], now: number): readonly string[] {
  const known = prediction.quotas.filter(({ where }) => where === "memory");
  const must = known.filter(({ until }) => until.min > now).map(({ key }) => key);
  const may = known.map(({ key }) => key);
  const were = found.filter(({ isPresumed }) => isPresumed === true).map(keyOf);
  return [
    ...must.filter((key) => !were.includes(key)).map((key) => `${key} is not presumed to be spent`),
    ...were.filter((key) => !may.includes(key)).map((key) => `${key} is presumed to be spent`),
  ];
}

/** Profiles are stored as absolute paths. */
function keyOf({ account, profile, ...subject }: SpentQuota): string {
  const login = { ...subject, ...(profile !== undefined && { profile: basename(profile) }) };
  return cooldownKey(login, account === undefined ? undefined : "api-key");
}

function textOf(quotas: readonly Remembered[], now: number): string {
  const open = quotas.filter(({ until }) => until > now);
  return open
    .map(({ key, until }) => `${key} until ${new Date(until).toISOString()}`)
    .toSorted()
    .join(", ");
}
