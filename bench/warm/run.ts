// npm run bench:warm [-- --runs 10] [--cli claude,codex] [--long] [--json] [--patience 300]: warm calls of the real CLIs, in one
// interleaved run that waits at most so many seconds for an idle machine. Prints tables and limits, progress on stderr; a run of all
// CLIs writes its section of docs/benchmarks.md. Exits 1 on a MISS. `--merge a.json,b.json` measures nothing: it writes the section
// from what runs with `--json` have printed.
import { readFileSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { builtinProviders } from "../../src/clis/index.ts";
import { CLI_ROWS, type CliName } from "../../tests/support/real-clis/rows/index.ts";
import { putSection, WARM_SECTION } from "../document-section.ts";
import { countBusy, limitPatience } from "../rivals/await-quiet.ts";
import { copyBuild } from "../rivals/copy-build.ts";
import { runInNamespace } from "../rivals/in-namespace.ts";
import { readSurroundings } from "../rivals/surroundings.ts";
import { judgeAll } from "./judge.ts";
import { measureCalls } from "./measure-calls.ts";
import { measureExit, measureFresh } from "./measure-hosts.ts";
import { measureLong } from "./measure-long.ts";
import { measurePool } from "./measure-pool.ts";
import { measureSteps } from "./measure-steps.ts";
import { measureTerminal } from "./measure-terminal.ts";
import { renderSection, renderText } from "./render.ts";
import { type CliResults, mergeResults, type WarmResults } from "./results.ts";
import { readScheduling } from "./scheduling.ts";
import { openStage } from "./stage.ts";

const DOCUMENT = join(import.meta.dirname, "../../docs/benchmarks.md");

const { values: options } = parseArgs({
  options: {
    runs: { type: "string", default: "10" },
    cli: { type: "string" },
    long: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    patience: { type: "string", default: "300" },
    merge: { type: "string" },
  },
});
const rounds = Number(options.runs);
if (!Number.isInteger(rounds) || rounds < 1) throw new TypeError(`--runs is a number of calls, not ${options.runs}`);

if (options.merge === undefined) await runInNamespace(import.meta.filename, run);
else writeSection(mergeResults(options.merge.split(",").map((file) => JSON.parse(readFileSync(file, "utf8")) as WarmResults)));

async function run(network: string): Promise<void> {
  copyBuild();
  limitPatience(Number(options.patience) * 1000);
  const [before] = loadavg();
  const clis: CliResults[] = [];
  const cold: CliName[] = [];
  const failed: { cli: CliName; reason: string }[] = [];
  for (const name of chosenClis()) {
    const measured = await measureCli(name).catch((error: Error) => ({ reason: error.message }));
    if (measured === undefined) cold.push(name);
    else if ("reason" in measured) failed.push({ cli: name, ...measured });
    else clis.push(measured);
  }
  const load = [before ?? Number.NaN, loadavg()[0] ?? Number.NaN] as const;
  const surroundings = readSurroundings(network);
  const { coxswain = "unknown" } = surroundings.versions;
  const measured = clis.map(({ cli }) => cli);
  const conditions = { clis: measured, rounds, busy: countBusy(), load, scheduling: readScheduling(), coxswain };
  const results: WarmResults = { surroundings, runs: measured.length === 0 ? [] : [conditions], clis, cold, failed };
  const limits = judgeAll(results);
  process.stdout.write(options.json ? `${JSON.stringify({ ...results, limits }, undefined, 2)}\n` : renderText(results, limits));
  const isWhole = options.cli === undefined && rounds >= 10;
  if (isWhole) writeSection(results);
  process.exitCode = limits.every(({ ok }) => ok) ? 0 : 1;
}

function writeSection(results: WarmResults): void {
  const section = renderSection(results, judgeAll(results));
  writeFileSync(DOCUMENT, putSection(readFileSync(DOCUMENT, "utf8"), WARM_SECTION, section));
}

function chosenClis(): readonly CliName[] {
  const known = Object.keys(CLI_ROWS) as CliName[];
  const chosen = options.cli?.split(",") ?? known;
  for (const name of chosen) if (!known.includes(name as CliName)) throw new TypeError(`${name} is none of ${known.join(", ")}`);
  return known.filter((name) => chosen.includes(name));
}

/** Undefined for a CLI without a resident transport. */
async function measureCli(cli: CliName): Promise<CliResults | undefined> {
  const log = (what: string): boolean => process.stderr.write(`${cli}: ${what}\n`);
  const stage = await openStage(cli);
  if (stage === undefined) return undefined;
  try {
    log(`single calls, ${rounds} rounds`);
    const calls = await measureCalls(stage, rounds);
    log(`first calls of new hosts, ${rounds} rounds`);
    const fresh = await measureFresh(stage, rounds);
    log(`steps of a tool loop, ${rounds} rounds`);
    const steps = await measureSteps(cli, rounds);
    // `cox` has the built-in CLIs; one that takes the address of its API only from its configuration would not ask the fake API.
    const isTerminal = stage.warmly.transport === "auto" && builtinProviders.includes(CLI_ROWS[cli].providerAt(""));
    log(isTerminal ? `cox ask, ${rounds} rounds` : "cox ask is not measured");
    const terminal = isTerminal ? await measureTerminal(stage, rounds) : undefined;
    log("eight calls at once, then processes that wait");
    const { burst, waiting } = await measurePool(stage, Math.min(rounds, 5));
    log("programs that close nothing");
    const exitMs = await measureExit(stage, Math.min(rounds, 5));
    const isLong = options.long && stage.resident.wire.turnsAtOnce > 1;
    if (isLong) log("a thousand calls");
    return {
      cli,
      calls,
      ...(steps !== undefined && { steps }),
      fresh,
      ...(terminal !== undefined && { terminal }),
      burst,
      waiting,
      exitMs,
      ...(isLong && { long: await measureLong(stage) }),
    };
  } finally {
    await stage.close();
  }
}
