import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { processesWith } from "./process-scan.ts";

/** What belongs to one test: a directory, and an environment that points there and by which the test's processes are known. */
export type TestScope = { readonly directory: string; readonly env: Readonly<Record<string, string | undefined>> };

/** Opens a scope; when the test is over, whatever a failed test left running or lying around is removed. */
export function openTestScope(): TestScope {
  const id = randomUUID();
  const directory = mkdtempSync(join(tmpdir(), "coxswain-e2e-"));
  onTestFinished(async () => {
    for (const pid of await processesWith("E2E_TEST", id)) endProcess(pid);
    rmSync(directory, { recursive: true, force: true });
  });
  return { directory, env: { ...process.env, XDG_STATE_HOME: join(directory, "state"), E2E_TEST: id } };
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended between the scan and the signal.
  }
}
