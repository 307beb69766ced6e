// Writes the tables of docs/failures.md between their markers: the codes from src/spec/failure/failure-codes.ts, the weights,
// the protocol's patterns and the six errors from src/failures, and the CLIs' error texts from recordings, classified anew; with --check only compares.
import { readFileSync, writeFileSync } from "node:fs";
import { PROVIDER_ERROR_TYPES } from "../src/compatibility-views/provider-error.ts";
import { PROTOCOL_PATTERNS } from "../src/failures/words/names-and-statuses.ts";
import { WEIGHTS } from "../src/failures/words/weights.ts";
import { FAILURE_CODES, FAILURE_TRAITS, type FailureCode, type FailureCodeInfo } from "../src/spec/failure/failure-codes.ts";
import { readFailureExamples } from "./failure-examples.ts";
import { FAILURE_MEANINGS, WEIGHT_MEANINGS } from "./failure-meanings.ts";

const path = new URL("../docs/failures.md", import.meta.url);
const longestExample = 160;
const tables: Readonly<Record<string, () => readonly string[]>> = {
  codes: codeTable,
  weights: weightTable,
  patterns: patternTable,
  "six errors": errorTable,
  examples: exampleTable,
};

const before = readFileSync(path, "utf8");
const after = Object.entries(tables).reduce((page, [name, write]) => replaceBlock(page, name, write()), before);
if (!process.argv.includes("--check")) writeFileSync(path, after);
else if (after !== before) {
  process.stderr.write("docs/failures.md is out of date: run npm run docs:failures\n");
  process.exitCode = 1;
}

function replaceBlock(page: string, name: string, lines: readonly string[]): string {
  const [begin, end] = [`<!-- generated: ${name} -->`, "<!-- /generated -->"];
  const from = page.indexOf(begin);
  const to = page.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`docs/failures.md has lost its markers of "${name}"`);
  return `${page.slice(0, from)}${begin}\n${lines.join("\n")}\n${page.slice(to)}`;
}

function codeTable(): readonly string[] {
  const yes = (value: boolean): string => (value ? "yes" : "no");
  const rows = (Object.keys(FAILURE_CODES) as FailureCode[]).map((code) => {
    const info: FailureCodeInfo = FAILURE_CODES[code];
    const traits = { ...FAILURE_TRAITS[info.category], ...info.traits };
    const advice = [yes(traits.shouldRetry), yes(traits.shouldFallback), traits.replyStatus].join(" | ");
    return `| \`${info.category}\` | \`${code}\` | ${FAILURE_MEANINGS[code]} | ${advice} | ${info.hint} |`;
  });
  return ["| category | code | what happened | retry | fallback | HTTP | what to do |", "|---|---|---|---|---|---|---|", ...rows];
}

function weightTable(): readonly string[] {
  const names = Object.keys(WEIGHTS) as (keyof typeof WEIGHTS)[];
  const rows = names.map((name) => `| ${WEIGHTS[name]} | ${WEIGHT_MEANINGS[name]} |`);
  return ["| weight | evidence |", "|---|---|", ...rows];
}

function patternTable(): readonly string[] {
  const rows = PROTOCOL_PATTERNS.map(({ category, patterns, code, codes = {} }) => {
    const special = Object.entries(codes).map(([pattern, other]) => `\`${other}\` for \`${pattern}\``);
    return `| \`${category}\` | ${patterns.map((pattern) => `\`${pattern}\``).join(" ")} | ${[`\`${code}\``, ...special].join(", ")} |`;
  });
  return ["| category | patterns | code |", "|---|---|---|", ...rows];
}

function errorTable(): readonly string[] {
  const types = [...new Set(Object.values(PROVIDER_ERROR_TYPES))];
  const rows = types.map((type) => {
    const categories = Object.entries(PROVIDER_ERROR_TYPES).filter(([, shown]) => shown === type);
    return `| \`${type}\` | ${categories.map(([category]) => `\`${category}\``).join(", ")} |`;
  });
  return ["| error | categories |", "|---|---|", ...rows];
}

function exampleTable(): readonly string[] {
  const rows = readFailureExamples().map(({ provider, code, words }) => `| ${provider.label} | \`${code}\` | ${toCell(words)} |`);
  return ["| CLI | code | its words |", "|---|---|---|", ...rows];
}

function toCell(words: string): string {
  const short = words.length > longestExample ? `${words.slice(0, longestExample - 1)}…` : words;
  return `\`\` ${short.replaceAll("|", "\\|")} \`\``;
}
