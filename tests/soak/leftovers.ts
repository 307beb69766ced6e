import { spawn } from "node:child_process";
import { getEventListeners, once } from "node:events";
import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { processesWith, untilGone } from "../support/processes/process-scan.ts";
import { readQuotaFiles } from "./quota-files.ts";
import { SOAK_MARK, type SoakPlace } from "./soak-place.ts";

const PATIENCE_MS = 10_000;

/** The open resources of this process before a soak. */
export type Holdings = { readonly descriptors: readonly string[]; readonly resources: string };

/** The open resources of this process before a soak: files, and handles that keep it alive. */
export async function holdingsBefore(): Promise<Holdings> {
  // With its first stream Node opens /dev/null permanently; that is no leftover of a soak.
  const child = spawn(process.execPath, ["--version"], { stdio: ["ignore", "pipe", "ignore"] });
  child.stdout.resume();
  await once(child, "close");
  return holdingsNow();
}

function holdingsNow(): Holdings {
  const descriptors = readdirSync("/proc/self/fd").flatMap(describeDescriptor);
  return { descriptors, resources: process.getActiveResourcesInfo().toSorted().join(" ") };
}

/** The descriptor that read the directory itself is closed again. */
function describeDescriptor(name: string): readonly string[] {
  try {
    return [`${name} ${readlinkSync(`/proc/self/fd/${name}`)}`];
  } catch {
    return [];
  }
}

/** The leftovers of a soak after all its clients were closed. */
export async function findLeftovers(place: SoakPlace, before: Holdings, signal: AbortSignal): Promise<readonly string[]> {
  const left: string[] = [];
  await untilGone(() => processesWith(SOAK_MARK, place.mark)).catch((error: unknown) => left.push(`processes: ${error}`));
  const guardians = (): Promise<readonly number[]> => guardiansOfHost();
  await untilGone(guardians).catch((error: unknown) => left.push(`guardians: ${error}`));
  left.push(...(await findHoldings(before)));
  const listeners = getEventListeners(signal, "abort").length;
  if (listeners > 0) left.push(`${listeners} listeners on the signal that all calls were given`);
  const temporary = readdirSync(place.temporary);
  if (temporary.length > 0) left.push(`temporary files: ${temporary.join(" ")}`);
  for (const name of readdirSync(place.directory)) if (name.startsWith("state-")) left.push(...findStateLeftovers(place, name));
  return left;
}

/** The name of a guardian has the pid of its host and a random part. */
async function guardiansOfHost(): Promise<readonly number[]> {
  const names = new Set<number>();
  for (const entry of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const pid = Number(entry);
    if (isGuardianOfOurs(pid)) names.add(pid);
  }
  return [...names];
}

function isGuardianOfOurs(pid: number): boolean {
  try {
    return readEnvironment(pid).includes(`\0COXSWAIN_GUARDIAN=${process.pid}-`);
  } catch {
    return false;
  }
}

function readEnvironment(pid: number): string {
  return `\0${readFileSync(`/proc/${pid}/environ`, "latin1")}`;
}

/** A socket or a timer that was closed just now may still be counted. */
async function findHoldings(before: Holdings): Promise<readonly string[]> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const { descriptors, resources } = holdingsNow();
    const opened = descriptors.filter((descriptor) => !before.descriptors.includes(descriptor));
    const left = [
      ...(descriptors.length > before.descriptors.length ? [`open files: ${opened.join(", ")}`] : []),
      ...(countOf(resources) > countOf(before.resources)
        ? [`resources: [${before.resources}] before, [${resources}] after`]
        : []),
    ];
    if (left.length === 0 || performance.now() > deadline) return left;
    await sleep(100);
  }
}

function countOf(resources: string): number {
  return resources === "" ? 0 : resources.split(" ").length;
}

function findStateLeftovers(place: SoakPlace, state: string): readonly string[] {
  const left: string[] = [];
  const root = join(place.directory, state);
  for (const path of readdirSync(root, { recursive: true, encoding: "utf8" })) {
    if (!statSync(join(root, path)).isFile() || /^coxswain\/quota\/[\w-]+\.json$/.test(path)) continue;
    left.push(`${state}: ${path}`);
  }
  try {
    readQuotaFiles(place.quotaDirectory(state));
  } catch (error) {
    left.push(`${state}: a quota file that cannot be read: ${error}`);
  }
  return left;
}
