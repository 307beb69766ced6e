import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { describe, expect, it, onTestFinished } from "vitest";
import { leftAfterThreeSeconds } from "./running-processes.ts";
import { guardiansOf, type SetupName, TOOL_SETUPS } from "./sleeping-tool.ts";
import { expectNothingLeft, prepareSleepingCli, type SleepingCli, untilSleeping } from "./stopped-run.ts";

const SETUPS = Object.keys(TOOL_SETUPS) as readonly SetupName[];
const HOST = join(import.meta.dirname, "hosts/holds-a-tool.ts");
const COX = join(import.meta.dirname, "../../bin/cox.js");

describe.each(SETUPS)("a host of %s with a running tool", (name) => {
  it.each(["SIGTERM", "SIGKILL", "SIGINT"] as const)(
    `a host of ${name} that dies of %s leaves nothing running`,
    async (signal) => {
      const sleeping = await prepareSleepingCli(name);
      const { host, runId } = await holdTool(name, sleeping);
      expect(guardiansOf(runId)).toHaveLength(1);
      const [since, exit] = [performance.now(), once(host, "exit")];
      host.kill(signal);
      await expectAllGone(`${name}: ${signal} of the host`, since, sleeping, runId);
      expect(await exit).toEqual([null, signal]);
    },
  );

  it(`a host of ${name} without a guardian leaves a tool running when it is killed, and this suite sees it`, async () => {
    const sleeping = await prepareSleepingCli(name);
    const { host, runId } = await holdTool(name, sleeping, { HOST_GUARDIAN: "none" });
    const since = performance.now();
    host.kill("SIGKILL");
    const { left } = await leftAfterThreeSeconds(() => sleeping.tool.findAll(runId), since);
    expect(left.join("\n")).toMatch(new RegExp(`^\\d+ ${sleeping.tool.command}`, "m"));
  });
});

describe("cox with a running tool", () => {
  // Codex takes its endpoint from flags that cox does not have, so only Claude can be pointed at the fake API this way.
  it.each([
    ["Ctrl-C", "SIGINT", 130],
    ["SIGTERM", "SIGTERM", 143],
  ] as const)("cox ask --agent leaves nothing running after %s", async (what, signal, code) => {
    const sleeping = await prepareSleepingCli("claude");
    const words = ["ask", "--agent", "--provider", "claude", "--allow-tool", "Bash", "--cwd", sleeping.cli.workspace, "Wait."];
    const cox = startProcess(sleeping, [COX, ...words]);
    const { runId } = await untilSleeping(sleeping.tool);
    expect(guardiansOf(runId)).toHaveLength(1);
    const [since, exit] = [performance.now(), once(cox, "exit")];
    // A terminal sends the signal to everybody in the foreground group.
    process.kill(-(cox.pid ?? 0), signal);
    await expectAllGone(`claude: ${what} on cox`, since, sleeping, runId);
    expect(await exit).toEqual([code, null]);
  });
});

type HeldTool = { readonly host: Started; readonly runId: string };

/** Starts a host and waits until its tool sleeps; a CLI that still has something to print may end by itself, so it must have said it. */
async function holdTool(name: SetupName, sleeping: SleepingCli, env: Readonly<Record<string, string>> = {}): Promise<HeldTool> {
  const { api, workspace } = sleeping.cli;
  const host = startProcess(sleeping, [HOST], { HOST_SETUP: name, HOST_API: api.url, HOST_WORKSPACE: workspace, ...env });
  await once(host.stdout, "data");
  return { host, runId: (await untilSleeping(sleeping.tool)).runId };
}

/** Three seconds after the stop neither the run nor its guardian is there. */
async function expectAllGone(what: string, since: number, { tool }: SleepingCli, runId: string): Promise<void> {
  await expectNothingLeft(what, since, () => [...tool.findAll(runId), ...guardiansOf(runId)]);
}

type Started = ChildProcessByStdio<null, Readable, null>;

/** Starts a Node program of ours as the leader of a group of its own, as a shell would. */
function startProcess(sleeping: SleepingCli, words: readonly string[], env: Readonly<Record<string, string>> = {}): Started {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", ...words], {
    env: { ...sleeping.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}
