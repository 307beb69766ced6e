// npm run bench:rivals [-- --quick] [--json]: Coxswain, the bare CLIs and four rivals in one interleaved run. Prints the table,
// progress on stderr; a full run writes docs/benchmarks.md. Exits 1 if Coxswain is slower than the bare CLI by more than 5 %.
import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { countBusy } from "./await-quiet.ts";
import { copyBuild } from "./copy-build.ts";
import { installRivals } from "./install.ts";
import { endEverything } from "./processes.ts";
import { PAIR_LIMIT, type Results, renderBehind, renderDocument, renderPairs } from "./render-document.ts";
import { renderRefusals, renderTable } from "./render-table.ts";
import { type ContestResults, type Effort, runContest } from "./run-contest.ts";
import { readSurroundings } from "./surroundings.ts";

const FULL: Effort = { warmUp: 2, calls: 21, pairRounds: 50, plainCalls: 5, streams: 5, aborts: 3, refusals: 5 };
const QUICK: Effort = { warmUp: 1, calls: 3, pairRounds: 3, plainCalls: 1, streams: 1, aborts: 1, refusals: 1 };
const INSIDE = "COXSWAIN_BENCH_NETWORK";
const NAMESPACE: readonly string[] = ["unshare", "-rn", "bash", "-c", 'ip link set lo up && exec "$@"', "-"];
const root = join(import.meta.dirname, "../..");

const { values: options } = parseArgs({ options: { quick: { type: "boolean" }, json: { type: "boolean" } } });

if (process.env[INSIDE] === undefined) process.exitCode = runInNamespace();
else await run(process.env[INSIDE]);

/** Installs the rivals and CLIs, then starts this program again in a separate network namespace if the system allows it. */
function runInNamespace(): number {
  if (process.platform !== "linux") throw new Error("This bench reads /proc and needs Linux.");
  execFileSync(process.execPath, [join(root, "scripts/install-real-clis.ts")], { stdio: ["ignore", 2, 2] });
  installRivals();
  const program = [process.execPath, import.meta.filename, ...process.argv.slice(2)];
  const alone = start([...NAMESPACE, "true"]) === 0;
  const network = alone ? "a namespace of its own, loopback only" : "the machine's own; all endpoints on loopback";
  return start(alone ? [...NAMESPACE, ...program] : program, { ...process.env, [INSIDE]: network });
}

function start([command = "", ...args]: readonly string[], env: NodeJS.ProcessEnv = process.env): number {
  return spawnSync(command, args, { stdio: "inherit", env }).status ?? 1;
}

async function run(network: string): Promise<void> {
  process.once("exit", endEverything);
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
  const surroundings = readSurroundings(network);
  copyBuild();
  const effort = options.quick ? QUICK : FULL;
  const contests: ContestResults[] = [];
  for (const cli of ["claude", "codex"] as const) contests.push(await runContest(cli, effort));
  const results: Results = { surroundings, effort, contests, busy: countBusy() };
  process.stdout.write(options.json ? `${JSON.stringify(results, undefined, 2)}\n` : toText(results));
  if (!options.quick) writeFileSync(join(root, "docs/benchmarks.md"), renderDocument(results));
  process.exitCode = contests.every(({ pairs }) => pairs.ratio <= PAIR_LIMIT) ? 0 : 1;
}

function toText({ contests, busy }: Results): string {
  const tables = contests.flatMap((contest) => [renderTable(contest), renderRefusals(contest)]);
  const against = ["against the bare CLI, same launch:", ...contests.map(renderPairs)];
  const behind = ["not ahead of the best rival:", ...contests.flatMap(renderBehind)];
  const disturbed = `measured although the machine was busy: ${busy}`;
  return `${[...tables, against.join("\n"), behind.join("\n"), disturbed].join("\n\n")}\n`;
}
