// Compares docs/requirements.md with the last test run. Usage: check-requirements.ts [--write] [root]
// With --write it first writes the titles of the passing tests into the rows that are met.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type RequirementRow, readRequirements, writeEvidence } from "./read-requirements.ts";
import { readTestReport } from "./read-test-report.ts";

const requirementCount = 206;
const statuses = ["met", "deviates", "pending"];
const titlesShown = 3;

const root = process.argv.slice(2).find((argument) => !argument.startsWith("--")) ?? join(import.meta.dirname, "..");
const pagePath = join(root, "docs/requirements.md");
const { tests } = readTestReport(join(root, "reports/test-results.json"));
const passedTitles = tests.filter((test) => test.status === "passed").map((test) => test.title);

if (process.argv.includes("--write")) {
  const page = readFileSync(pagePath, "utf8");
  writeFileSync(
    pagePath,
    writeEvidence(page, (row) => (row.status === "met" ? toEvidence(row) : row.evidence)),
  );
}

const rows = readRequirements(readFileSync(pagePath, "utf8"));
const problems = [...checkNumbers(), ...rows.flatMap(checkRow), ...checkTitles()];
for (const problem of problems) console.error(problem);
const counts = statuses.map((status) => `${rows.filter((row) => row.status === status).length} ${status}`);
console.log(`requirements: ${rows.length} rows, ${counts.join(", ")}`);
process.exitCode = problems.length > 0 ? 1 : 0;

function checkNumbers(): readonly string[] {
  const numbers = rows.map((row) => row.number);
  const expected = Array.from({ length: requirementCount }, (_, index) => index + 1);
  return [
    ...expected.filter((number) => !numbers.includes(number)).map((number) => `R${number} has no row`),
    ...numbers.filter((number, index) => numbers.indexOf(number) !== index).map((number) => `R${number} has two rows`),
    ...numbers.filter((number) => !expected.includes(number)).map((number) => `R${number} is not a requirement`),
  ];
}

function checkRow(row: RequirementRow): readonly string[] {
  if (!statuses.includes(row.status)) return [`R${row.number} has the unknown status "${row.status}"`];
  if (row.status === "deviates" && row.evidence === "") return [`R${row.number} deviates without a reason`];
  if (row.status !== "met") return [];
  if (toEvidence(row) === "") return [`R${row.number} is said to be met, but no passing test has a title that begins with it`];
  return toEvidence(row) === row.evidence ? [] : [`R${row.number} lists other tests than it has: run npm run docs:requirements`];
}

function checkTitles(): readonly string[] {
  const claimed = new Set(rows.filter((row) => row.status === "met" || row.status === "deviates").map((row) => row.number));
  return tests.flatMap(({ title }) =>
    [...title.matchAll(/\bR(\d{1,3})\b/g)]
      .filter((match) => !claimed.has(Number(match[1])))
      .map((match) => `${match[0]} is neither met nor deviates, but a test names it: ${title}`),
  );
}

function toEvidence(row: RequirementRow): string {
  const titles = passedTitles.flatMap((title) => {
    const numbers = /^(?:R\d+ )+/.exec(title)?.[0] ?? "";
    return numbers.split(" ").includes(`R${row.number}`) ? [title.slice(numbers.length).replaceAll("|", "\\|")] : [];
  });
  const distinct = [...new Set(titles)].sort();
  const shown = distinct.slice(0, titlesShown).join("; ");
  return distinct.length > titlesShown ? `${shown}; and others` : shown;
}
