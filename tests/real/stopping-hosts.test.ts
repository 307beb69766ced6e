import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { expectAllGone, holdTool, startProcess } from "./held-host.ts";
import { leftOfStoppedRun } from "./running-processes.ts";
import { DEEP_SETUPS, guardiansOf } from "./sleeping-tool.ts";
import { prepareSleepingCli, untilSleeping } from "./stopped-run.ts";

const COX = join(import.meta.dirname, "../../bin/cox.js");

describe.each(DEEP_SETUPS)("a host of %s with a running tool", (name) => {
  it(`hosts of ${name} that SIGTERM, SIGKILL and SIGINT end leave no process`, async () => {
    const dying = (["SIGTERM", "SIGKILL", "SIGINT"] as const).map(async (signal) => {
      const sleeping = await prepareSleepingCli(name);
      const { host, runId } = await holdTool(name, sleeping);
      expect(guardiansOf(runId), signal).toHaveLength(1);
      const [since, exit] = [performance.now(), once(host, "exit")];
      host.kill(signal);
      await expectAllGone(`${name}: ${signal} of the host`, since, sleeping, runId);
      expect(await exit).toEqual([null, signal]);
    });
    await Promise.all(dying);
  });

  it(`a host of ${name} without a guardian leaves a tool running when it is killed, and this suite detects it`, async () => {
    const sleeping = await prepareSleepingCli(name);
    const { host, runId } = await holdTool(name, sleeping, { env: { HOST_GUARDIAN: "none" } });
    const since = performance.now();
    host.kill("SIGKILL");
    const { left } = await leftOfStoppedRun(() => sleeping.tool.findAll(runId), since, 0);
    expect(left.join("\n")).toMatch(new RegExp(`^\\d+ ${sleeping.tool.command}`, "m"));
  });
});

describe("cox with a running tool", () => {
  // Codex takes its endpoint from flags that cox does not have, so only Claude can use the fake API this way.
  it.each([
    ["Ctrl-C", "SIGINT", 130],
    ["SIGTERM", "SIGTERM", 143],
  ] as const)("cox ask --agent leaves no process after %s", async (what, signal, code) => {
    const sleeping = await prepareSleepingCli("claude");
    const words = ["ask", "--agent", "--provider", "claude", "--allow-tool", "Bash", "--cwd", sleeping.cli.workspace, "Wait."];
    const cox = startProcess(sleeping, [COX, ...words]);
    const { runId } = await untilSleeping(sleeping.tool);
    expect(guardiansOf(runId)).toHaveLength(1);
    const [since, exit] = [performance.now(), once(cox, "exit")];
    // A terminal sends the signal to the whole foreground group.
    if (cox.pid === undefined) throw new Error("cox did not start");
    process.kill(-cox.pid, signal);
    await expectAllGone(`claude: ${what} on cox`, since, sleeping, runId);
    expect(await exit).toEqual([code, null]);
  });
});
