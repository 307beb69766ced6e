import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished, vi } from "vitest";
import { prepareRealCli, type RealCli } from "../support/real-clis/real-cli.ts";
import { RAIN } from "./caller-loop.ts";
import { PARKED_ROWS } from "./matrix/describe-parked.ts";
import { type RunningProcess, runningProcesses } from "./running-processes.ts";
import { guardiansOf } from "./sleeping-tool.ts";

const HOST = join(import.meta.dirname, "hosts/parks-a-call.ts");

/** A CLI that has lost its server asks its model within a few milliseconds. */
const ASKED_MS = 1000;

const ROWS = [...PARKED_ROWS, { name: "claude", tool: "get_weather" }, { name: "codex", tool: "get_weather" }] as const;

it.each(ROWS)(
  "a host that exits while a call of $name is parked costs no further request to its model",
  async ({ name, tool }) => {
    const cli = await prepareRealCli(name, [{ kind: "tool-calls", calls: [{ name: tool, input: { city: "Oslo" } }] }, RAIN]);
    const { host, run } = await startParked(cli);
    const processesOfCli = (): readonly RunningProcess[] =>
      // The process of a resident transport has the marker of another run.
      runningProcesses().filter(({ environment }) => environment.includes(`XDG_STATE_HOME=${cli.env["XDG_STATE_HOME"]}`));
    expect(processesOfCli().length).toBeGreaterThan(0);
    // The guardian would end the process as well, some milliseconds later.
    const [guardian] = guardiansOf(run);
    if (guardian === undefined) throw new Error("the host has no guardian");
    process.kill(guardian.pid, "SIGSTOP");
    const exit = once(host, "exit");
    host.kill("SIGTERM");
    expect(await exit).toEqual([0, null]);
    await sleep(ASKED_MS);
    process.kill(guardian.pid, "SIGCONT");
    await vi.waitFor(() => expect([...processesOfCli(), ...guardiansOf(run)]).toEqual([]), { timeout: 10_000, interval: 50 });
    expect(cli.api.modelRequests).toHaveLength(1);
  },
);

/** Starts a host and waits until its run has ended with the call. */
async function startParked(cli: RealCli) {
  const host = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", HOST], {
    env: { ...cli.env, HOST_CLI: cli.name, HOST_API: cli.api.url },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(async () => {
    host.kill("SIGKILL");
    await cli[Symbol.asyncDispose]();
  });
  const [printed] = await once(host.stdout, "data");
  const { run, finish } = JSON.parse(String(printed)) as { readonly run: string; readonly finish: string };
  expect(finish).toBe("tool-calls");
  return { host, run };
}
