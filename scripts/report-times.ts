// Prints the slowest files of each test report, and the total time compared with the budget; fails above five times the budget.
// Usage: report-times.ts [--write] [--taken <seconds>] [root]; --write stores the times in tests/file-seconds.json.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import { parseArgs } from "node:util";

const budgetSeconds = 14 * 60;
/** On machines with two cores `npm test` took 126 s one day and 275 to 320 s the next, with 1 % more tests: less than this says little about the tests. */
const mostBudgets = 5;
const filesShown = 10;

type ReportedFile = { readonly name: string; readonly startTime: number; readonly endTime: number };

const { values, positionals } = parseArgs({
  options: { write: { type: "boolean" }, taken: { type: "string" } },
  allowPositionals: true,
});
const root = positionals[0] ?? join(import.meta.dirname, "..");
const reports = ["reports/test-results.json", "reports/test-slow-results.json", "reports/test-real-results.json"].filter((name) =>
  existsSync(join(root, name)),
);
for (const name of reports) {
  const times = readTimes(name);
  console.log(`${name}: the slowest of ${times.length} files`);
  for (const [file, seconds] of times.slice(0, filesShown)) console.log(`${seconds.toFixed(1).padStart(7)} s  ${file}`);
}
if (values.write) writeTimes();
if (values.taken !== undefined) judge(Number(values.taken));

function readTimes(report: string): readonly (readonly [file: string, seconds: number])[] {
  const { testResults }: { testResults: readonly ReportedFile[] } = JSON.parse(readFileSync(join(root, report), "utf8"));
  return testResults
    .map(
      ({ name, startTime, endTime }) => [isAbsolute(name) ? relative(root, name) : name, (endTime - startTime) / 1000] as const,
    )
    .toSorted(([, left], [, right]) => right - left);
}

function writeTimes(): void {
  const path = join(root, "tests/file-seconds.json");
  const known: Record<string, number> = JSON.parse(readFileSync(path, "utf8"));
  for (const [file, seconds] of reports.flatMap(readTimes)) known[file] = Math.ceil(seconds * 10) / 10;
  const there = Object.entries(known).filter(([file]) => existsSync(join(root, file)));
  writeFileSync(path, `${JSON.stringify(Object.fromEntries(there.toSorted()), undefined, 2)}\n`);
}

function judge(taken: number): void {
  const isFar = !(taken <= mostBudgets * budgetSeconds);
  const verdict = isFar ? "more than five times the budget" : taken > budgetSeconds ? "over the budget" : "within the budget";
  console.log(`everything took ${Math.round(taken)} s, ${verdict} of ${budgetSeconds} s`);
  if (isFar) process.exitCode = 1;
}
