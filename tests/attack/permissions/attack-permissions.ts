// Lets fake models order forbidden things of the real CLIs, in every mode, and compares the disk.
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import pins from "../../support/real-clis/pinned-clis.json" with { type: "json" };
import { attackMode, type ModeReport, type Version } from "./attack-cli.ts";
import { MODES, type Mode, type ModeOrControl } from "./modes.ts";
import { judge, printReports, writeTable } from "./report.ts";
import { type AttackedCli, CLIS } from "./tricks/cli-tools.ts";

const USAGE = `Usage: npm run attack:permissions -- [options]

  --cli claude,codex     CLIs to attack; all of ${CLIS.join(", ")} by default
  --mode default,plan    modes to attack; all of ${MODES.join(", ")} by default
  --versions newest      newest and oldest by default, where an oldest one is installed
  --seed 1               the same seed makes the same choices
  --only <words>         only the runs whose name contains the words: "every tool", "programs of git"
  --part                 the share for CI: one mode of each CLI, the most dangerous tricks
  --no-control           without the runs in which everything is allowed and the tricks must work
  --json                 prints the report as JSON
  --write                writes the rows of the table of docs/permissions.md whose modes were all attacked
  --help                 prints this text

docs/attack.md describes the attacks.`;

/** The mode of each CLI in the share for CI. */
const PART_MODES: Readonly<Record<AttackedCli, Mode>> = {
  claude: "default",
  codex: "accept-edits",
  gemini: "plan",
  qwen: "dont-ask",
  opencode: "dont-ask",
  copilot: "pattern",
  grok: "default",
};
/** A machine with two cores runs two CLIs at once. */
const AT_ONCE = 2;

const { values } = parseArgs({
  allowNegative: true,
  options: {
    cli: { type: "string", default: CLIS.join(",") },
    mode: { type: "string" },
    versions: { type: "string" },
    seed: { type: "string", default: "1" },
    only: { type: "string" },
    part: { type: "boolean", default: false },
    control: { type: "boolean", default: true },
    json: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
const stop = new AbortController();
for (const name of ["SIGINT", "SIGTERM"]) process.once(name, () => stop.abort());
if (values.help) console.log(USAGE);
else await attack();

type Task = { readonly cli: AttackedCli; readonly version: Version; readonly mode: ModeOrControl };

async function attack(): Promise<void> {
  if (values.write && (values.part || values.only !== undefined))
    throw new RangeError("--write needs all tricks: leave out --part and --only.");
  // Below the shared temporary directory a CLI with a sandbox may write, so the folders lie elsewhere.
  const folder = mkdtempSync(join("/var/tmp", "attack-permissions-"));
  process.env["TMPDIR"] = folder;
  const reports: ModeReport[] = [];
  try {
    const tasks = listTasks();
    await Promise.all(Array.from({ length: AT_ONCE }, () => work(tasks, reports)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  if (values.json) console.log(JSON.stringify(reports));
  else printReports(reports);
  if (values.write) writeTable(reports);
  // Of a few runs it is not known how many of their tricks should work.
  const problems = judge(values.only === undefined ? reports : reports.filter(({ mode }) => mode !== "bypass"));
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 || stop.signal.aborted ? 1 : 0;
}

async function work(tasks: Task[], reports: ModeReport[]): Promise<void> {
  const [seed, { signal }] = [Number(values.seed), stop];
  for (let task = tasks.shift(); task !== undefined && !signal.aborted; task = tasks.shift()) {
    const report = await attackMode({
      ...task,
      seed,
      part: values.part,
      only: values.only,
      signal,
      onRun: (text) => console.error(`  ${task.cli} ${task.version} ${task.mode}, ${text}`),
    });
    reports.push(report);
    const { cli, version, mode, tricks, left, seconds } = report;
    console.error(`${cli} ${version} ${mode}: ${tricks} tricks, ${left.length} left something, ${seconds.toFixed(1)} s`);
  }
}

function listTasks(): Task[] {
  const versions = choose<Version>("versions", values.versions ?? (values.part ? "newest" : "newest,oldest"), [
    "newest",
    "oldest",
  ]);
  return choose("cli", values.cli, CLIS).flatMap((cli) => {
    const modes = choose("mode", values.mode ?? (values.part ? PART_MODES[cli] : MODES.join(",")), MODES);
    const installed = versions.filter((version) => version === "newest" || "oldest" in pins[cli]);
    return installed.flatMap((version) =>
      [...(values.control ? (["bypass"] as const) : []), ...modes].map((mode) => ({ cli, version, mode })),
    );
  });
}

function choose<Name extends string>(option: string, text: string, known: readonly Name[]): readonly Name[] {
  const names = text.split(",");
  for (const name of names)
    if (!known.includes(name as Name)) throw new RangeError(`--${option} is one of ${known.join(", ")}, not "${name}".`);
  return known.filter((name) => names.includes(name));
}
