// Attacks the product with hostile answers, programs and recordings, and prints what broke.
import { parseArgs } from "node:util";
import { type AttackReport, runAttack, type SubjectReport } from "./run-attack.ts";

const USAGE = `Usage: npm run attack -- [--seconds 240] [--seed 1] [--only <name>] [--json]

  --seconds  no case begins after this time; a case takes at most 60 s
  --seed     the same seed makes the same attacks
  --only     runs the cases whose name begins so: shapes, programs/claude, mutations/codex/errors#17
  --json     prints the report as JSON
  --help     prints this text

docs/attack.md describes the attacks.`;

const PROGRESS_MS = 5000;
const SHOWN = 20;
const LONGEST_LINE = 400;

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "240" },
    seed: { type: "string", default: "1" },
    only: { type: "string" },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
const stop = new AbortController();
for (const name of ["SIGINT", "SIGTERM"]) process.once(name, () => stop.abort());
if (values.help) console.log(USAGE);
else await attack();

async function attack(): Promise<void> {
  const [seconds, seed] = [toNumber("seconds", values.seconds), toNumber("seed", values.seed)];
  const only = values.only === undefined ? {} : { only: values.only };
  const { signal } = stop;
  const report = await runAttack({ seconds, seed, ...only, signal, onCase: createProgress(seconds) });
  if (values.json) console.log(JSON.stringify(report));
  else printReport(report);
  const ran = report.subjects.reduce((total, subject) => total + subject.ran, 0);
  if (ran === 0) console.error("no case ran");
  process.exitCode = ran === 0 || signal.aborted || report.failures.length > 0 ? 1 : 0;
}

function toNumber(name: string, text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 0) throw new RangeError(`--${name} is a whole number, not "${text}".`);
  return number;
}

function createProgress(seconds: number): (report: AttackReport) => void {
  let printedAt = performance.now();
  return (report) => {
    if (performance.now() - printedAt < PROGRESS_MS) return;
    printedAt = performance.now();
    const done = report.subjects.map(({ name, ran, cases }) => `${name} ${ran}/${cases}`).join(", ");
    console.error(`${Math.round(report.seconds)} of ${seconds} s: ${done}, ${report.failures.length} failed`);
  };
}

function printReport({ seed, seconds, subjects, failures }: AttackReport): void {
  for (const { name, problems } of failures.slice(0, SHOWN)) {
    const lines = problems.slice(0, 5).map((problem) => `  ${problem.slice(0, LONGEST_LINE)}\n`);
    console.log(`${name}\n${lines.join("")}  repeat: npm run attack -- --seed ${seed} --only ${name}\n`);
  }
  if (failures.length > SHOWN)
    console.log(
      `… and: ${failures
        .slice(SHOWN)
        .map(({ name }) => name)
        .join(" ")}\n`,
    );
  for (const subject of subjects.filter(({ cases }) => cases > 0)) console.log(describe(subject));
  console.log(`attack: seed ${seed}, ${seconds.toFixed(1)} s, ${failures.length} failed`);
}

function describe({ name, ran, cases, failed, counts }: SubjectReport): string {
  const totals = Object.entries(counts).map(([what, count]) => `${Math.round(count)} ${what}`);
  return `${name.padEnd(10)} ${ran} of ${cases} cases, ${failed} failed; ${totals.join(", ")}`;
}
