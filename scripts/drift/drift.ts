// npm run drift: compares two versions of a CLI. `--help` prints the options; docs/drift.md explains the report.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installPackages } from "../real-clis/install-packages.ts";
import { findNewerVersions, newestVersion } from "../real-clis/newest-versions.ts";
import { pinOf, ROOT } from "../real-clis/pins.ts";
import { compareVersionsOf } from "./compare.ts";
import { type DriftOptions, HELP, readOptions } from "./options.ts";
import type { ProbePair } from "./probe.ts";
import { type DriftFacts, summarize, toMarkdown } from "./report.ts";
import { runSuite } from "./run-suite.ts";
import { writeRecordings } from "./write-recordings.ts";

try {
  await main(readOptions(process.argv.slice(2)));
} catch (error) {
  process.stderr.write(`drift: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

async function main(options: DriftOptions): Promise<void> {
  if (options.help) return void process.stdout.write(HELP);
  const names = options.cli === undefined ? (await findNewerVersions()).map(({ name }) => name) : [options.cli];
  if (names.length === 0) process.stdout.write("drift: no CLI has a newer version than the pinned one\n");
  const all: DriftFacts[] = [];
  for (const name of names) all.push(await compare(name, options));
  if (options.json) process.stdout.write(`${JSON.stringify(all, undefined, 2)}\n`);
}

async function compare(cli: string, options: DriftOptions): Promise<DriftFacts> {
  const { package: published, version } = pinOf(cli);
  const from = options.from ?? version;
  const to = options.to ?? (await newestVersion(published));
  if (to === undefined) throw new Error(`the registry did not report the newest version of ${published}; give it by --to`);
  const [before, after] = [install(published, from), install(published, to)];
  const pairs = probe(cli, before, after, options.probe);
  const suite = options.suite ? runSuite(cli, after, options.tests) : undefined;
  const facts = { cli, from, to, drift: compareVersionsOf(pairs), ...(suite !== undefined && { suite }) };
  const report = join(ROOT, "reports", `drift-${cli}.md`);
  mkdirSync(join(ROOT, "reports"), { recursive: true });
  writeFileSync(report, toMarkdown(facts));
  if (options.record !== undefined) {
    const written = writeRecordings(
      join(options.record, cli),
      cli,
      to,
      pairs.map((pair) => pair.to),
    );
    process.stderr.write(`drift: ${written} recordings in ${join(options.record, cli)}\n`);
  }
  if (!options.json) {
    const lines = [`${cli} ${from} → ${to}`, ...summarize(facts).map((line) => `  ${line}`), `  report: reports/drift-${cli}.md`];
    process.stdout.write(`${lines.join("\n")}\n`);
  }
  return facts;
}

function install(published: string, version: string): string {
  const folder = join(ROOT, ".cache/drift", `${published.replace("/", "+")}@${version}`);
  installPackages(folder, { [published]: version });
  return folder;
}

/** The probes run in a separate network namespace if the system allows it, as the real suite does. */
function probe(cli: string, from: string, to: string, only: string): readonly ProbePair[] {
  const place = mkdtempSync(join(tmpdir(), "coxswain-drift-"));
  try {
    const output = join(place, "pairs.json");
    const words = [
      process.execPath,
      "--disable-warning=ExperimentalWarning",
      join(import.meta.dirname, "probe-main.ts"),
      cli,
      from,
      to,
      output,
      only,
    ];
    const isAlone = spawnSync("unshare", ["-rn", "ip", "link", "set", "lo", "up"]).status === 0;
    if (!isAlone) process.stderr.write("drift: WITHOUT a network namespace (needs unshare -rn and ip)\n");
    const alone = ["unshare", "-rn", "bash", "-c", 'ip link set lo up && exec "$@"', "-"];
    const [command = "", ...args] = isAlone ? [...alone, ...words] : words;
    const { status } = spawnSync(command, args, { cwd: ROOT, stdio: ["ignore", 2, 2] });
    if (status !== 0) throw new Error(`the probes of ${cli} broke (exit code ${status})`);
    return JSON.parse(readFileSync(output, "utf8")) as readonly ProbePair[];
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}
