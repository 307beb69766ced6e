import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { ROOT } from "../real-clis/pins.ts";

/** A test that fails with the new version. */
export type FailedTest = { readonly file: string; readonly title: string; readonly message: string };

/** The result of the real suite with the new version. */
export type SuiteReport = {
  readonly passed: number;
  readonly failed: readonly FailedTest[];
  /** Why there is no report. */
  readonly problem?: string;
};

type TestResult = {
  readonly name: string;
  readonly assertionResults: readonly {
    readonly status: string;
    readonly fullName: string;
    readonly failureMessages?: readonly string[];
  }[];
};

/** The report of vitest.real.config.ts; a report of another version is removed first. */
const REPORT = join(ROOT, "reports/test-real-results.json");

/** Runs the real suite with the version of a CLI that is installed in a folder; all other CLIs are the pinned ones. Without files it runs all. */
export function runSuite(cli: string, folder: string, files: readonly string[]): SuiteReport {
  rmSync(REPORT, { force: true });
  const env = { ...process.env, COXSWAIN_REAL_CLIS: `${cli}=${folder}` };
  const { status } = spawnSync("bash", ["scripts/test-real.sh", "--all", ...files], { cwd: ROOT, stdio: ["ignore", 2, 2], env });
  try {
    const { testResults } = JSON.parse(readFileSync(REPORT, "utf8")) as { readonly testResults: readonly TestResult[] };
    const tests = testResults.flatMap(({ name, assertionResults }) => assertionResults.map((test) => ({ ...test, name })));
    const failed = tests.filter((test) => test.status === "failed");
    return {
      passed: tests.filter((test) => test.status === "passed").length,
      failed: failed.map(({ name, fullName, failureMessages = [] }) => ({
        file: relative(ROOT, name),
        title: fullName,
        message: (failureMessages[0] ?? "").split("\n")[0]?.slice(0, 300) ?? "",
      })),
    };
  } catch (error) {
    return { passed: 0, failed: [], problem: `The suite gave no report (exit code ${status}): ${String(error)}` };
  } finally {
    rmSync(REPORT, { force: true });
  }
}
