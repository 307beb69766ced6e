import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { processesWith, untilGone } from "../support/processes/process-scan.ts";
import { openTestScope } from "../support/test-scope.ts";

/** The surroundings of an example: no process and no file of it may be left after the test. */
export type ExampleSurroundings = {
  readonly directory: string;
  readonly env: Readonly<Record<string, string | undefined>>;
};

/** Opens the surroundings of one test; in them `coxswain` is the built package, or the sources as under `npm run example`. */
export function openExampleSurroundings(form: "built" | "source"): ExampleSurroundings {
  const { directory, env } = openTestScope();
  const temporary = join(directory, "temporary");
  mkdirSync(temporary);
  onTestFinished(async () => {
    await untilGone(() => processesWith("TMPDIR", temporary));
    // The guardian removes the files of a host that ended before its CLI.
    await expect.poll(() => readdirSync(temporary), { timeout: 20_000 }).toEqual([]);
  });
  const options = form === "source" ? "--conditions=coxswain-source" : undefined;
  return { directory, env: { ...env, TMPDIR: temporary, NODE_OPTIONS: options } };
}
