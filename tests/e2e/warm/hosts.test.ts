import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { isStopped } from "../../../src/process/tree/process-table.ts";
import { processesIn, untilGone } from "../../support/processes/process-scan.ts";
import { isAlive } from "../../support/processes/read-proc.ts";
import { signalProcess } from "../../support/processes/signal-process.ts";
import { type HostProcess, startHost } from "../host-process.ts";
import type { WarmReport } from "../hosts/keeps-warm.ts";
import { createWarmClient } from "./warm-run.ts";

/** A process that waits is kept for five minutes; a host that waited for it would take longer than this. */
const PATIENCE_MS = 10_000;

it("a script that closes nothing ends by itself although a process waits, and that process is ended", async () => {
  const host = startHost<WarmReport>("keeps-warm");
  const { pid, text } = await host.report;
  expect(JSON.parse(text)).toMatchObject({ pid, prompts: ["Say it warm."] });
  const reportedAt = performance.now();
  expect(await host.exit).toEqual({ code: 0, signal: null });
  expect(performance.now() - reportedAt).toBeLessThan(PATIENCE_MS);
  await untilGone(() => processesIn(privateDirectoryOf(host)));
});

it("when the host dies of SIGKILL its waiting processes are gone", async () => {
  const host = startHost<WarmReport>("keeps-warm", { ENDING: "wait" });
  await host.report;
  process.kill(host.pid, "SIGKILL");
  await host.exit;
  await untilGone(() => processesIn(privateDirectoryOf(host)));
});

it("a waiting process that was stopped (SIGSTOP) is ended and takes no turn", async () => {
  const { ask, warmUp, untilKept, client } = createWarmClient({ processes: 1 });
  await warmUp();
  await untilKept(1);
  const [{ pid = 0 } = {}] = client.warmProcesses();
  signalProcess(pid, "SIGSTOP");
  await vi.waitFor(() => expect(isStopped(pid)).toBe(true));
  const { result, memory } = await ask({ prompt: "hello", timeouts: { idleMs: PATIENCE_MS } });
  expect({ failure: result.failure, isOther: memory?.pid !== pid }).toEqual({ failure: undefined, isOther: true });
  await untilGone(async () => (isAlive(pid) ? [pid] : []));
});

/** The directory in which the processes of completions run. */
function privateDirectoryOf({ directory }: HostProcess<WarmReport>): string {
  return join(directory, "state/coxswain/empty");
}
