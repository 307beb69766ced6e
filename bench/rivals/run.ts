// npm run bench:rivals [-- --quick] [--json]: Coxswain, the bare CLIs and four rivals in one interleaved run. Prints the table,
// progress on stderr; a full run writes docs/benchmarks.md. Exits 1 if Coxswain is slower than the bare CLI by more than 5 %.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { findSection, putSection, WARM_SECTION } from "../document-section.ts";
import { countBusy } from "./await-quiet.ts";
import { copyBuild } from "./copy-build.ts";
import { runInNamespace } from "./in-namespace.ts";
import { PAIR_LIMIT, type Results, renderBehind, renderDocument, renderPairs } from "./render-document.ts";
import { renderRefusals, renderTable } from "./render-table.ts";
import { type ContestResults, type Effort, runContest } from "./run-contest.ts";
import { readSurroundings } from "./surroundings.ts";

const FULL: Effort = { warmUp: 2, calls: 21, pairRounds: 50, plainCalls: 5, streams: 5, aborts: 3, refusals: 5 };
const QUICK: Effort = { warmUp: 1, calls: 3, pairRounds: 3, plainCalls: 1, streams: 1, aborts: 1, refusals: 1 };
const root = join(import.meta.dirname, "../..");

const { values: options } = parseArgs({ options: { quick: { type: "boolean" }, json: { type: "boolean" } } });

await runInNamespace(import.meta.filename, run);

async function run(network: string): Promise<void> {
  const surroundings = readSurroundings(network);
  copyBuild();
  const effort = options.quick ? QUICK : FULL;
  const contests: ContestResults[] = [];
  for (const cli of ["claude", "codex"] as const) contests.push(await runContest(cli, effort));
  const results: Results = { surroundings, effort, contests, busy: countBusy() };
  process.stdout.write(options.json ? `${JSON.stringify(results, undefined, 2)}\n` : toText(results));
  if (!options.quick) writeDocument(results);
  process.exitCode = contests.every(({ pairs }) => pairs.ratio <= PAIR_LIMIT) ? 0 : 1;
}

/** Writes the document; the section of the other bench stays. */
function writeDocument(results: Results): void {
  const path = join(root, "docs/benchmarks.md");
  const warm = findSection(readFileSync(path, "utf8"), WARM_SECTION);
  const document = renderDocument(results);
  writeFileSync(path, warm === undefined ? document : putSection(document, WARM_SECTION, warm));
}

function toText({ contests, busy }: Results): string {
  const tables = contests.flatMap((contest) => [renderTable(contest), renderRefusals(contest)]);
  const against = ["against the bare CLI, same launch:", ...contests.map(renderPairs)];
  const behind = ["not ahead of the best rival:", ...contests.flatMap(renderBehind)];
  const disturbed = `measured although the machine was busy: ${busy}`;
  return `${[...tables, against.join("\n"), behind.join("\n"), disturbed].join("\n\n")}\n`;
}
