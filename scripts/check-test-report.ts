// Fails unless tests ran and every one passed; its last line counts them. Usage: check-test-report.ts [root]
import { existsSync } from "node:fs";
import { join } from "node:path";
import { readTestReport } from "./read-test-report.ts";

const root = process.argv[2] ?? join(import.meta.dirname, "..");
const parts = ["slow", "real"].map((part) => join(root, `reports/test-${part}-results.json`)).filter((path) => existsSync(path));
const reports = [join(root, "reports/test-results.json"), ...parts].map(readTestReport);

const sum = (count: "passed" | "failed" | "skipped"): number =>
  reports.reduce((total, report) => total + report.counts[count], 0);
const [passed, failed, skipped] = [sum("passed"), sum("failed"), sum("skipped")];
for (const report of reports) {
  for (const problem of report.problems) console.error(problem);
  if (!report.success && report.counts.failed === 0) console.error("a test run failed outside of its tests");
}
if (passed + failed + skipped === 0) console.error("no test ran");
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
const isGood = reports.every((report) => report.success) && passed > 0 && failed === 0 && skipped === 0;
process.exitCode = isGood ? 0 : 1;
