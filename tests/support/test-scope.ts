import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { processesIn, processesWith } from "./processes/process-scan.ts";

/** The directory of one test, and an environment that points there and marks the test's processes. */
export type TestScope = { readonly directory: string; readonly env: Readonly<Record<string, string | undefined>> };

/** Opens a scope; after the test it removes the processes and files that a failed test left. */
export function openTestScope(): TestScope {
  const id = randomUUID();
  const directory = mkdtempSync(join(tmpdir(), "coxswain-e2e-"));
  onTestFinished(async () => {
    for (const pid of [...(await processesWith("E2E_TEST", id)), ...(await processesIn(directory))]) endProcess(pid);
    rmSync(directory, { recursive: true, force: true });
  });
  return { directory, env: { ...process.env, XDG_STATE_HOME: join(directory, "state"), E2E_TEST: id } };
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // The process ended between the scan and the signal.
  }
}
