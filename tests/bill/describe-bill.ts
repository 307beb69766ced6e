import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { builtFile } from "../support/built/built-file.ts";
import { BILLED_CLIS, type BilledCli } from "./conversation.ts";
import { BILL_SEED } from "./report.ts";

const HOST = builtFile("tests/bill/hosts/plays-conversations.ts");
const run = promisify(execFile);

// In memory where the system has such a folder: ext4 doubles the system time of these tests, by making files soon after it removed others.
const ROOM = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

/** Random conversations with every CLI: the sum of our counts is what the model billed. */
export function describeBill(count: number): void {
  console.log(`BILL_SEED=${BILL_SEED}`);
  describe(`the bill of random conversations, BILL_SEED=${BILL_SEED}`, () => {
    it.each(BILLED_CLIS)(`our counts of ${count} conversations with %s are the bill`, { timeout: 600_000 }, async (cli) => {
      expect(await playInHost(cli, count)).toBe("");
    });
  });
}

async function playInHost(cli: BilledCli, count: number): Promise<string> {
  const directory = mkdtempSync(join(ROOM, "coxswain-bill-"));
  try {
    const env = { ...process.env, BILL_SEED: String(BILL_SEED), TMPDIR: directory };
    const { stdout } = await run(process.execPath, [HOST, cli, String(count)], { env });
    return stdout;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
