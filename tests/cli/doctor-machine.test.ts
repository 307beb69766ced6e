import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { builtFile } from "../support/built/built-file.ts";
import { cox } from "../support/cox/start-cox.ts";
import { canMountDisk, NO_PROC } from "../support/processes/on-disk.ts";
import { openMachine } from "./open-machine.ts";

describe.concurrent("cox doctor", () => {
  test("says how surely the processes of a run end: by a limit on Linux, by looks where somebody has set that limit, or by the group", async () => {
    using machine = openMachine();
    const limited = async (limit: string): Promise<{ readonly ending: object; readonly shown: string }> => {
      const run = async (...words: readonly string[]): Promise<string> => {
        const command = `${limit}; exec "${process.execPath}" "${builtFile("bin/cox.js")}" doctor rehearsal ${words.join(" ")}`;
        return (await promisify(execFile)("/bin/bash", ["-c", command], { env: { ...process.env, ...machine.options.env } }))
          .stdout;
      };
      return { ending: JSON.parse(await run("--json")).ending, shown: await run() };
    };
    const [marked, looked] = await Promise.all([limited(":"), limited("ulimit -x 77")]);
    expect(marked.ending).toMatchObject({ foundBy: "limit", survivesHost: true });
    expect(marked.shown.replaceAll("\n", " ")).toContain(
      " All processes of a run are ended with it, daemons too, also if Coxswain is killed. ",
    );
    expect(looked.ending).toMatchObject({ foundBy: "looks", survivesHost: true });
    expect(looked.shown.replaceAll("\n", " ")).toContain("except daemons that leave it within a second");
    if (!canMountDisk()) return;
    const { stdout } = await cox(["doctor", "--json", "rehearsal"], { disk: NO_PROC });
    expect(JSON.parse(stdout).ending).toMatchObject({ foundBy: "group" });
  });

  test("--log-file has the request of --deep, and is a usage error without it", async () => {
    using machine = openMachine();
    const log = join(machine.path, "log");
    expect((await machine.doctor("rehearsal", "--deep", "--log-file", log)).exitCode).toBe(0);
    expect(readFileSync(log, "utf8")).toMatch(
      /"target":"rehearsal\/friendly",.*"check started"[\s\S]*"ended after \d+ ms: stop"/,
    );
    const refused = await machine.doctor("rehearsal", "--log-file", log);
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining("--log-file needs --deep")]);
  });
});
