import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { processesWith } from "../support/processes/process-scan.ts";
import { type Bundling, bundleHost, startBundle } from "./bundle-host.ts";
import { type InstalledPackage, installPackage } from "./installed-package.ts";

const hangGuardMs = 240_000;
const BUNDLERS: readonly Bundling["by"][] = ["esbuild-esm", "esbuild-cjs", "vite"];

let installed: InstalledPackage;

beforeAll(async () => {
  installed = await installPackage();
}, hangGuardMs);

afterAll(() => installed?.remove());

const MISSING = { failure: "cli-missing", warnings: ["guardian-missing"] };

/** A folder from which the package cannot be found; it is removed after the test. */
function openOutside(): string {
  const outside = mkdtempSync(join(tmpdir(), "coxswain-bundle-"));
  onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
  return outside;
}

/** Starts the bundle, kills it when a run of it is in progress, and returns its report and its processes that live on. */
async function killHost(file: string, cwd = dirname(file)) {
  const marker = randomUUID();
  const alive = (): Promise<readonly number[]> => processesWith("BUNDLE_TEST", marker);
  onTestFinished(async () => {
    for (const pid of await alive()) process.kill(pid, "SIGKILL");
  });
  const { child, report } = await startBundle(file, { BUNDLE_TEST: marker }, cwd);
  const during = (await alive()).length;
  child.kill("SIGKILL");
  return { report, during, alive };
}

describe.for(BUNDLERS)("a host that %s has bundled", { timeout: hangGuardMs }, (by) => {
  test.for([true, false])("nothing outlives it when it is killed; the package is external: %s", async (isExternal) => {
    const { report, during, alive } = await killHost(await bundleHost(installed, { by, isExternal }));
    expect(report).toEqual({ text: expect.stringMatching(/\S/), warnings: [] });
    expect(during).toBeGreaterThan(1);
    await expect.poll(alive).toEqual([]);
  });

  test("it warns of the missing guardian, and the rehearsal CLI is missing, where the package is not installed", async () => {
    const { report } = await killHost(await bundleHost(installed, { by, isExternal: false }, openOutside()));
    expect(report).toMatchObject(MISSING);
  });
});

test("a bundle runs no programs of the current directory, which may be of somebody else", { timeout: hangGuardMs }, async () => {
  const { report } = await killHost(
    await bundleHost(installed, { by: "esbuild-esm", isExternal: false }, openOutside()),
    installed.folder,
  );
  expect(report).toMatchObject(MISSING);
});
