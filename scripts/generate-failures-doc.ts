// Writes the table of docs/failures.md between its markers from src/spec/failure-codes.ts; with --check only compares.
import { readFileSync, writeFileSync } from "node:fs";
import { FAILURE_CODES, FAILURE_TRAITS, type FailureCodeInfo } from "../src/spec/failure-codes.ts";

const path = new URL("../docs/failures.md", import.meta.url);
const begin = "<!-- generated: codes -->";
const end = "<!-- /generated -->";

const rows = Object.entries<FailureCodeInfo>(FAILURE_CODES).map(([code, info]) => {
  const traits = { ...FAILURE_TRAITS[info.category], ...info.traits };
  const yes = (value: boolean) => (value ? "yes" : "no");
  return `| \`${info.category}\` | \`${code}\` | ${yes(traits.shouldRetry)} | ${yes(traits.shouldFallback)} | ${traits.httpStatus} | ${info.hint} |`;
});
const table = ["| category | code | retry | fallback | HTTP | what to do |", "|---|---|---|---|---|---|", ...rows].join("\n");

const before = readFileSync(path, "utf8");
const [head, rest] = before.split(begin);
const tail = rest?.split(end)[1];
if (head === undefined || tail === undefined) throw new Error("docs/failures.md has lost its markers");
const after = `${head}${begin}\n${table}\n${end}${tail}`;

if (!process.argv.includes("--check")) writeFileSync(path, after);
else if (after !== before) {
  process.stderr.write("docs/failures.md is out of date: run npm run docs:failures\n");
  process.exitCode = 1;
}
