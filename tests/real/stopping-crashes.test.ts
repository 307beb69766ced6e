import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { lineageOf, untilSeen } from "./running-processes.ts";
import { DEEP_SETUPS, runOf } from "./sleeping-tool.ts";
import { expectStopped, prepareSleepingCli, readToEnd, untilSleeping } from "./stopped-run.ts";

it.each(DEEP_SETUPS)("%s that is killed by another process leaves no tool running", async (name) => {
  const sleeping = await prepareSleepingCli(name);
  const reading = readToEnd(sleeping.start());
  const { sleeper, runId } = await untilSleeping(sleeping.tool);
  const [started] = lineageOf(sleeper).filter((member) => runOf(member) === runId && member.parentPid === process.pid);
  if (started === undefined) throw new Error("this process did not start the CLI");
  const since = performance.now();
  process.kill(started.pid, "SIGKILL");
  const reported = await reading;
  await expectStopped(sleeping, { what: `${name}: SIGKILL of the CLI`, since, reported, code: "crashed" });
});

it.each(["codex", "codex by its launcher"] as const)(
  "%s leaves no tool running after an abort when the user's settings remove the environment, and the marker, from tools",
  async (name) => {
    const sleeping = await prepareSleepingCli(name);
    const config = '[shell_environment_policy]\ninherit = "core"\n';
    writeFileSync(join(sleeping.cli.home, ".codex/config.toml"), config);
    const abort = new AbortController();
    const reading = readToEnd(sleeping.start({}, abort.signal));
    const sleeper = await untilSeen(() => sleeping.tool.find(), sleeping.tool.command);
    expect(runOf(sleeper)).toBeUndefined();
    const since = performance.now();
    abort.abort();
    const reported = await reading;
    await expectStopped(sleeping, { what: `${name}: an abort without marker`, since, reported, code: "interrupted" });
  },
);
