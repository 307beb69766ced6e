// Runs calls of real clients on real processes, compares them with the policy model and prints the result.
// Usage: soak.ts [--calls 5000] [--seed 1] [--lanes 6] [--only <call>]
import { parseArgs } from "node:util";
import { runSoak, type SoakReport } from "./run-soak.ts";
import type { SoakTally } from "./soak-tally.ts";

const SHOWN = 10;
const PROGRESS_MS = 3000;
const PROGRESS_CALLS = 500;

const { values } = parseArgs({
  options: {
    calls: { type: "string", default: "5000" },
    seed: { type: "string", default: "1" },
    lanes: { type: "string", default: "6" },
    only: { type: "string" },
  },
});
const [calls, seed, lanes] = [toNumber("calls", values.calls), toNumber("seed", values.seed), toNumber("lanes", values.lanes)];
const only = values.only === undefined ? {} : { only: toNumber("only", values.only) };
const report = await runSoak({ calls, seed, lanes, ...only, onCall: createProgress() });
printReport(report);
process.exitCode = report.tally.disagreements.length + report.leftovers.length > 0 ? 1 : 0;

function toNumber(name: string, text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 0) throw new RangeError(`--${name} is a whole number, not "${text}".`);
  return number;
}

/** Prints its progress every few seconds on a terminal, otherwise every so many calls. */
function createProgress(): (tally: SoakTally) => void {
  let printedAt = performance.now();
  return (tally) => {
    const isDue = process.stderr.isTTY ? performance.now() - printedAt > PROGRESS_MS : tally.calls % PROGRESS_CALLS === 0;
    if (!isDue) return;
    printedAt = performance.now();
    console.error(`${tally.calls} of ${calls} calls, ${tally.processes} processes, ${tally.disagreements.length} disagreements`);
  };
}

function printReport({ tally, leftovers, seconds }: SoakReport): void {
  console.log(`calls          ${tally.calls} (seed ${seed}, ${tally.skipped} left out after a disagreement)`);
  console.log(`processes      ${tally.processes}`);
  console.log(`seconds        ${seconds.toFixed(1)}`);
  console.log(`ends           ${textOf(tally.ends)}`);
  console.log(`tried again    ${textOf(tally.overcome)}`);
  console.log(`left behind    ${leftovers.length === 0 ? "nothing" : leftovers.join("; ")}`);
  console.log(`disagreements  ${tally.disagreements.length}`);
  for (const { call, what, about } of tally.disagreements.slice(0, SHOWN)) {
    console.log(`\ncall ${call}: ${what.join("\n  ")}\n  ${about}\n  repeat: npm run soak -- --seed ${seed} --only ${call}`);
  }
}

function textOf(counts: ReadonlyMap<string, number>): string {
  const entries = [...counts].toSorted(([, one], [, other]) => other - one);
  return entries.map(([name, count]) => `${name} ${count}`).join(", ");
}
