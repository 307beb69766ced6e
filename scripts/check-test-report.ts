// Fails unless tests ran and every one passed; its last line counts them. Usage: check-test-report.ts [root]
import { join } from "node:path";
import { readTestReport } from "./read-test-report.ts";

const root = process.argv[2] ?? join(import.meta.dirname, "..");
const report = readTestReport(join(root, "reports/test-results.json"));
const { passed, failed, skipped } = report.counts;

for (const problem of report.problems) console.error(problem);
if (passed + failed + skipped === 0) console.error("no test ran");
else if (!report.success && failed === 0) console.error("the test run failed outside of its tests");
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = report.success && passed > 0 && failed === 0 && skipped === 0 ? 0 : 1;
