import { readFileSync } from "node:fs";

/** One test of the JSON report. */
type ReportedTest = {
  readonly title: string;
  readonly fullName: string;
  readonly status: string;
  readonly failureMessages?: readonly string[];
};
type ReportedFile = {
  readonly name: string;
  readonly status: string;
  readonly message: string;
  readonly assertionResults: readonly ReportedTest[];
};

const MOST_ERROR_LINES = 12;

/** The result of a test run. */
export type TestReport = {
  /** The runner's own verdict; false also for errors outside of any test. */
  readonly success: boolean;
  readonly tests: readonly ReportedTest[];
  readonly counts: { readonly passed: number; readonly failed: number; readonly skipped: number };
  /** A text for each test that did not pass, with its error, and for each file that could not be run. */
  readonly problems: readonly string[];
};

/** Reads the JSON report of vitest; a file that could not be run counts as one failure. */
export function readTestReport(path: string): TestReport {
  const report: { success: boolean; testResults: readonly ReportedFile[] } = JSON.parse(readFileSync(path, "utf8"));
  const tests = report.testResults.flatMap((file) => file.assertionResults);
  const broken = report.testResults.filter(
    (file) => file.status === "failed" && file.assertionResults.every((test) => test.status !== "failed"),
  );
  const passed = tests.filter((test) => test.status === "passed").length;
  const failed = tests.filter((test) => test.status === "failed").length + broken.length;
  return {
    success: report.success,
    tests,
    counts: { passed, failed, skipped: tests.length + broken.length - passed - failed },
    problems: [
      ...tests.filter((test) => test.status !== "passed").map(problemOf),
      ...broken.map((file) => `failed: ${file.name}: ${file.message}`),
    ],
  };
}

/** The name of a test and the beginning of its error, so that the end of a long log says why it failed. */
function problemOf({ status, fullName, failureMessages = [] }: ReportedTest): string {
  const lines = failureMessages.join("\n").split("\n").slice(0, MOST_ERROR_LINES);
  return [`${status}: ${fullName}`, ...lines.filter((line) => line !== "").map((line) => `  ${line}`)].join("\n");
}
