import { randomBytes } from "node:crypto";
import { linkSync, readdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "../files/state-directory.ts";
import { ownIdentity, type ProcessIdentity } from "../process/tree/process-table.ts";
import { isRunning } from "../process/tree/signals.ts";
import { thrownCode } from "../spec/failure/failure.ts";

/** The right to use one session, held by one turn. */
export type SessionClaim = { release(): void };

/**
 * Claims a session for this process; returns the process that holds it if another turn does. A claim of a dead process is void.
 *
 * Claims are numbered files. A new claim creates the next number, which only one process can do, and then removes the lower ones. A
 * process that was slow and created a number below an existing one sees the higher one and gives way.
 */
export function claimSession(directory: string, id: string): SessionClaim | ProcessIdentity {
  for (;;) {
    const last = lastClaim(directory, id);
    const holder = last === undefined ? undefined : holderOf(last.path);
    if (holder !== undefined && isRunning(holder)) return holder;
    const number = (last?.number ?? 0) + 1;
    const path = join(directory, `${id}.claim-${number}`);
    if (!createWhole(path, JSON.stringify(ownIdentity()))) continue;
    const others = claimsOf(directory, id).filter((claim) => claim.number !== number);
    if (others.some((claim) => claim.number > number)) {
      removeFile(path);
      continue;
    }
    for (const lower of others) removeFile(lower.path);
    return { release: () => release(path) };
  }
}

/** The file stays, so that its number is not used again while another process looks. */
function release(path: string): void {
  try {
    replaceFile(path, "{}");
  } catch {
    removeFile(path);
  }
}

/** Does nothing if another process has removed it. */
function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch {}
}

type ClaimFile = { readonly number: number; readonly path: string };

function claimsOf(directory: string, id: string): readonly ClaimFile[] {
  return readdirSync(directory).flatMap((name) => {
    const number = name.startsWith(`${id}.claim-`) ? Number(name.slice(`${id}.claim-`.length)) : Number.NaN;
    return Number.isInteger(number) ? [{ number, path: join(directory, name) }] : [];
  });
}

function lastClaim(directory: string, id: string): ClaimFile | undefined {
  return claimsOf(directory, id).reduce<ClaimFile | undefined>(
    (last, claim) => (last === undefined || claim.number > last.number ? claim : last),
    undefined,
  );
}

/** Undefined for a released claim, and for one that was removed in the meantime. */
function holderOf(path: string): ProcessIdentity | undefined {
  try {
    const { pid, startTime } = JSON.parse(readFileSync(path, "utf8"));
    return typeof pid === "number" && typeof startTime === "number" ? { pid, startTime } : undefined;
  } catch {
    return undefined;
  }
}

/** Creates a file with its whole content at once; false if it exists. */
function createWhole(path: string, content: string): boolean {
  const temporary = `${path}.${process.pid}-${randomBytes(4).toString("hex")}`;
  writeFileSync(temporary, content, { mode: 0o600, flag: "wx" });
  try {
    linkSync(temporary, path);
    return true;
  } catch (error) {
    if (thrownCode(error) === "EEXIST") return false;
    throw error;
  } finally {
    unlinkSync(temporary);
  }
}
