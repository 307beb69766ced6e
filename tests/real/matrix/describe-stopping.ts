import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { MatrixRow } from "../../support/real-clis/rows/matrix-row.ts";
import { expectAllGone, holdTool } from "../held-host.ts";
import { guardiansOf } from "../sleeping-tool.ts";
import { expectStopped, prepareSleepingCli, readToEnd, untilSleeping } from "../stopped-run.ts";

/** However a run is stopped, none of its processes is left; expect-idle-clock.ts tests the stop by a timeout, for all CLIs at once. */
export function describeStopping({ name }: MatrixRow): void {
  describe(`real ${name} that is stopped leaves no process`, () => {
    it(`${name}: stopped in the middle of its start, by the caller and by a timeout`, async () => {
      const left = watchTemporaryFiles();
      const sleeping = await prepareSleepingCli(name);
      const abort = new AbortController();
      const aborted = readToEnd(sleeping.start({}, abort.signal));
      const reported = await readToEnd(sleeping.start({ timeouts: { firstEventMs: 20 } }));
      abort.abort();
      const since = performance.now();
      expect((await aborted).end).toMatchObject({ finish: "cancelled", failure: { code: "interrupted" } });
      await expectStopped(sleeping, { what: `${name}: stops at its start`, since, reported, code: "first-event-timeout" });
      expect(sleeping.tool.findAll((await aborted).runId)).toEqual([]);
      await sleeping.cli[Symbol.asyncDispose]();
      expect(left()).toEqual([]);
    });

    it(`${name}: aborted while its tool runs`, async () => {
      const left = watchTemporaryFiles();
      const sleeping = await prepareSleepingCli(name);
      const abort = new AbortController();
      const reading = readToEnd(sleeping.start({}, abort.signal));
      await untilSleeping(sleeping.tool);
      const since = performance.now();
      abort.abort();
      await expectStopped(sleeping, { what: `${name}: an abort`, since, reported: await reading, code: "interrupted" });
      await sleeping.cli[Symbol.asyncDispose]();
      expect(left()).toEqual([]);
    });
  });
}

/** The guardian ends the CLI and its tool when their host dies; stopping-hosts.test.ts has the other signals. */
export function describeKilledHost({ name, providerAt }: MatrixRow): void {
  const { streaming } = providerAt("").traits;

  describe(`real ${name} whose host dies leaves no process`, () => {
    it(`${name}: its host is killed while its tool runs`, async () => {
      const sleeping = await prepareSleepingCli(name);
      const { host, runId } = await holdTool(name, sleeping, { tellsOfCalls: streaming === "token" });
      expect(guardiansOf(runId)).toHaveLength(1);
      const [since, exit] = [performance.now(), once(host, "exit")];
      host.kill("SIGKILL");
      await expectAllGone(`${name}: SIGKILL of the host`, since, sleeping, runId);
      expect(await exit).toEqual([null, "SIGKILL"]);
    });
  });
}

/** Sets a separate temporary directory for one test, and lists its content. */
function watchTemporaryFiles(): () => readonly string[] {
  const temporary = mkdtempSync(join(tmpdir(), "real-test-"));
  vi.stubEnv("TMPDIR", temporary);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(temporary, { recursive: true, force: true });
  });
  return () => readdirSync(temporary);
}
