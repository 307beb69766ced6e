import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { ownIdentity } from "../process/tree/process-table.ts";
import { claimSession, type SessionClaim } from "./session-claim.ts";

const ID = "0b9f7c52-2f1e-4d3c-8f11-000000000001";
/** The largest pid of Linux is below this one. */
const NOBODY = 4_194_305;

let directory = "";

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "coxswain-claim-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
});

function claim(): SessionClaim {
  const claimed = claimSession(directory, ID);
  if ("pid" in claimed) throw new Error(`claimed by ${claimed.pid}`);
  return claimed;
}

test("a session is claimed once, until its claim is released", () => {
  const first = claim();
  expect(claimSession(directory, ID)).toEqual(ownIdentity());
  first.release();
  claim();
  expect(claimSession(directory, ID)).toEqual(ownIdentity());
});

test("another session is not affected", () => {
  claim();
  expect(claimSession(directory, ID.replace(/1$/, "2"))).toHaveProperty("release");
});

test.each([
  ["a process that does not exist", { pid: NOBODY, startTime: 1 }],
  ["an earlier process with the pid of a living one", { ...ownIdentity(), startTime: 1 }],
])("a claim of %s is void", (_who, holder) => {
  writeFileSync(join(directory, `${ID}.claim-7`), JSON.stringify(holder));
  claim();
  expect(readdirSync(directory)).toEqual([`${ID}.claim-8`]);
});

test("a number is not used again, so that a slow process cannot take it", () => {
  claim().release();
  claim().release();
  expect(readdirSync(directory)).toEqual([`${ID}.claim-2`]);
  expect(readFileSync(join(directory, `${ID}.claim-2`), "utf8")).toBe("{}");
});

test("temporary files and claims that cannot be read do not prevent a claim", () => {
  writeFileSync(join(directory, `${ID}.claim-3`), "{ half");
  writeFileSync(join(directory, `${ID}.claim-9.${NOBODY}-0123abcd`), JSON.stringify(ownIdentity()));
  claim();
  expect(readdirSync(directory)).toContain(`${ID}.claim-4`);
});
