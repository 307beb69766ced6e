// Runs the probes of a CLI with two installed versions, side by side, and writes the observations of each as JSON.
// Usage: probe-main.ts <cli> <folder of the old version> <folder of the new version> <output file> [part of a probe's name]
import { writeFileSync } from "node:fs";
import { CLI_ROWS, type CliName } from "../../tests/support/real-clis/rows/index.ts";
import type { ProbePair } from "./probe.ts";
import { probesOf } from "./probes.ts";
import { runProbe } from "./run-probe.ts";

const AT_ONCE = 2;

const [name = "", from = "", to = "", output = "", only = ""] = process.argv.slice(2);
const row = CLI_ROWS[name as CliName];
const [olds, news] = [probesOf(row), probesOf(row)];
const pairs: ProbePair[] = [];
const waiting = [...olds.keys()].filter((index) => olds[index]?.name.includes(only));
await Promise.all(Array.from({ length: AT_ONCE }, work));
// Probes that were not selected leave holes.
writeFileSync(output, JSON.stringify(pairs.filter((pair) => pair !== undefined)));

async function work(): Promise<void> {
  for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) {
    const [old, young] = [olds[index], news[index]];
    if (old === undefined || young === undefined) return;
    const startedAt = performance.now();
    const [before, after] = await Promise.all([runProbe(row.name, from, old), runProbe(row.name, to, young)]);
    pairs[index] = { from: before, to: after };
    process.stderr.write(`drift: ${old.name} (${Math.round((performance.now() - startedAt) / 1000)} s)\n`);
  }
}
