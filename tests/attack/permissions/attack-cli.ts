import { join } from "node:path";
import { createRandom } from "../../support/random.ts";
import { REAL_CLIS } from "../../support/real-clis/real-cli.ts";
import { seedOf } from "../../support/recordings/seeds.ts";
import { type AttackRun, attack as attackWith, type RunOutcome } from "./attack-run.ts";
import type { ModeOrControl } from "./modes.ts";
import { ownRuns, sharedRun, sharedTricks } from "./runs.ts";
import { markOf } from "./trick.ts";
import type { AttackedCli } from "./tricks/cli-tools.ts";

/** The versions that are installed for this suite. */
export type Version = "newest" | "oldest";

/** One line of the result: a CLI in a mode. */
export type ModeReport = {
  readonly cli: AttackedCli;
  readonly version: Version;
  readonly mode: ModeOrControl;
  /** How many tricks the CLI was ordered. */
  readonly tricks: number;
  /** The names of the tricks that left something, and the paths of what no trick names. */
  readonly left: readonly string[];
  /** The runs that were refused before the CLI started, and why. */
  readonly refused: readonly string[];
  /** The runs that ended before all tricks were ordered, however often the CLI was started. */
  readonly untried: readonly string[];
  /** How runs failed. */
  readonly failed: readonly string[];
  readonly seconds: number;
  /** The time of each run; a run is named again for each start of the CLI. */
  readonly runs: readonly string[];
  /** The tricks that left something, and those that left nothing, without the calls that only try a tool; told of the control. */
  readonly live: number;
  readonly dead: readonly string[];
};

/** What is attacked, and how much of it. */
export type ModeAttack = {
  readonly cli: AttackedCli;
  readonly version: Version;
  readonly mode: ModeOrControl;
  readonly seed: number;
  readonly part: boolean;
  readonly only: string | undefined;
  readonly signal: AbortSignal;
  /** Called after each run. */
  readonly onRun: (text: string) => void;
};

/** Attacks one CLI in one mode, with all its runs. */
export async function attackMode(attack: ModeAttack): Promise<ModeReport> {
  const { cli, version, mode, seed } = attack;
  const startedAt = performance.now();
  const random = createRandom(seedOf(seed, `${cli}/${version}/${mode}`));
  const setting = { cli, mode, random, folder: version === "oldest" ? join(REAL_CLIS, "oldest") : undefined };
  const outcomes: RunOutcome[] = [];
  const untried: string[] = [];
  const wants = ({ name }: AttackRun): boolean => attack.only === undefined || name.includes(attack.only);
  const runs = [sharedRun(sharedTricks(cli, random, attack.part), cli, mode), ...ownRuns(cli, mode, attack.part)];
  for (const run of runs.filter(wants)) {
    const found = await attackWith(run, setting, attack.signal);
    outcomes.push(...found);
    // A host that denies ends the runs of some CLIs, so that the rest is not reached in a few starts.
    const isOver = found.some(({ finished, refused }) => finished || refused !== undefined) || run.hostDenies === true;
    if (!isOver) untried.push(run.name);
    attack.onRun(describeRun(found));
  }
  return { ...toReport(attack, outcomes, (performance.now() - startedAt) / 1000), untried };
}

function describeRun(outcomes: readonly RunOutcome[]): string {
  const [tricks, traces, seconds] = [
    outcomes.reduce((total, { sent }) => total + sent.length, 0),
    outcomes.reduce((total, outcome) => total + outcome.traces.length, 0),
    outcomes.reduce((total, outcome) => total + outcome.seconds, 0),
  ];
  return `${outcomes[0]?.run}: ${tricks} tricks, ${traces} changes, ${outcomes.length} starts, ${seconds.toFixed(1)} s`;
}

function toReport(
  { cli, version, mode }: ModeAttack,
  outcomes: readonly RunOutcome[],
  seconds: number,
): Omit<ModeReport, "untried"> {
  const names = new Map(outcomes.flatMap(({ sent }) => sent.map((trick) => [markOf(trick), trick.name] as const)));
  const left = outcomes.flatMap(({ run, traces }) =>
    traces.flatMap(({ marks, path, kind }) =>
      marks.length > 0 ? marks.map((mark) => names.get(mark) ?? mark) : [`${kind} ${path} (${run})`],
    ),
  );
  const unique = [...new Set(left)].toSorted();
  const working = [
    ...new Set(
      outcomes
        .flatMap(({ sent }) => sent)
        .filter(({ probes }) => probes !== true)
        .map(({ name }) => name),
    ),
  ];
  const dead = working.filter((name) => !unique.includes(name));
  return {
    cli,
    version,
    mode,
    tricks: outcomes.reduce((total, { sent }) => total + sent.length, 0),
    left: unique,
    refused: outcomes.flatMap(({ run, refused }) => (refused === undefined ? [] : [`${run}: ${refused}`])),
    failed: outcomes.flatMap(({ run, failure }) => (failure === undefined ? [] : [`${run}: ${failure}`])),
    seconds,
    runs: outcomes.map((outcome) => `${outcome.run}: ${outcome.seconds.toFixed(1)} s`),
    live: working.length - dead.length,
    dead,
  };
}
