import { availableParallelism } from "node:os";
import { createRandom, pick } from "../support/random.ts";
import { seedOf, shuffled } from "../support/recordings/seeds.ts";
import type { AttackJob, Subject, Verdict } from "./attack-case.ts";
import { type CasePlace, openCasePlace } from "./case-place.ts";
import type { Delivery } from "./claude-answer.ts";
import { measurePace } from "./pace.ts";
import type { Shape } from "./shape.ts";
import { createShapeClient, type Reading, readMark, runShape, type ShapeRun, writeAnswer } from "./shape-run.ts";
import { SHAPES } from "./shapes.ts";

/** The growth of the time for ten times the text, and how late a timer and an abort may be heard. */
const MOST_GROWTH = 12;
const LONGEST_STALL_MS = Math.round(100 * measurePace());
const LATEST_ABORT_MS = 2 * LONGEST_STALL_MS;

/** Shorter times are counted as this, because they are mostly noise. */
const LEAST_CPU_MS = 30;

/** Sizes before the judged ones: a text that blocks the loop here would block it for hours there. */
const PROBES: readonly number[] = [20_000, 100_000];
const SMALL = 500_000;
const LARGE = 5_000_000;
/** If the small text takes more CPU time, both are shorter, so that a case has an end. */
const SLOW_MS = 500;
const SLOW_PART = 25;

const READINGS: readonly [Reading, ...Reading[]] = ["tools", "schema"];
const DELIVERIES: readonly [Delivery, ...Delivery[]] = ["streamed", "whole"];

/** Hostile answers, read for host tools or a schema: `shapes/<shape>/<reading>/<delivery>`. */
export const shapes: Subject = {
  name: "shapes",
  share: 5,
  // Each uses a core.
  atOnce: availableParallelism(),
  deadlineMs: 60_000,
  select(beginning, seed) {
    const random = createRandom(seedOf(seed, "shapes"));
    const names = shuffled(SHAPES, random).map(({ name }) => name);
    const first = names.map((name) => `shapes/${name}/${pick(random, READINGS)}/${pick(random, DELIVERIES)}`);
    const all = names.flatMap((name) =>
      READINGS.flatMap((reading) => DELIVERIES.map((way) => `shapes/${name}/${reading}/${way}`)),
    );
    return [...new Set([...first, ...all])].filter((name) => name.startsWith(beginning));
  },
  run: judgeShape,
};

let marks: Promise<Readonly<Record<Reading, string>>> | undefined;

/** The first run of a host loads modules, which is no work on its answer, and tells the mark of its conversation. */
async function runFirst(): Promise<Readonly<Record<Reading, string>>> {
  const place = openCasePlace();
  const client = createShapeClient(place);
  writeAnswer(place, { name: "nothing", make: () => "Nothing." }, 0, "streamed", "");
  const found = { tools: "", schema: "" };
  for (const reading of READINGS) {
    await runShape(client, reading);
    found[reading] = readMark(place);
  }
  await client.close();
  await place.close();
  return found;
}

async function judgeShape({ name, seed }: AttackJob): Promise<Verdict> {
  const [, shapeName, reading, delivery] = name.split("/");
  const shape = SHAPES.find((one) => one.name === shapeName);
  if (shape === undefined || !isOneOf(READINGS, reading) || !isOneOf(DELIVERIES, delivery)) throw new Error(`no case ${name}`);
  marks ??= runFirst();
  const mark = (await marks)[reading];
  const place = openCasePlace();
  const client = createShapeClient(place);
  const counts = { runs: 0, megabytes: 0, slow: 0 };
  const noteSlow = (): void => {
    counts.slow += 1;
  };
  const run = async (bytes: number, abortAfterMs?: number): Promise<ShapeRun> => {
    counts.runs += 1;
    counts.megabytes += bytes / 1e6;
    return await runShape(client, reading, abortAfterMs);
  };
  const problems = [
    ...(await judgeSizes({ place, shape, delivery, mark, run, noteSlow, random: createRandom(seedOf(seed, name)) })),
  ];
  await client.close();
  problems.push(...(await place.close()));
  return { problems, counts };
}

type Measuring = {
  readonly place: CasePlace;
  readonly shape: Shape;
  readonly delivery: Delivery;
  readonly mark: string;
  readonly random: () => number;
  run(bytes: number, abortAfterMs?: number): Promise<ShapeRun>;
  noteSlow(): void;
};

async function judgeSizes(about: Measuring): Promise<readonly string[]> {
  let small: ShapeRun | undefined;
  for (const bytes of [...PROBES, SMALL]) {
    small = await measure(about, bytes);
    const problems = [...small.problems, ...judgeStall(bytes, small)];
    if (problems.length > 0) return problems;
  }
  const isSlow = (small?.cpuMs ?? 0) > SLOW_MS;
  if (isSlow) {
    about.noteSlow();
    small = await measure(about, SMALL / SLOW_PART);
  }
  const bytes = isSlow ? LARGE / SLOW_PART : LARGE;
  const large = await measure(about, bytes, small);
  const problems = [...large.problems, ...judgeStall(bytes, large), ...judgeGrowth(small, large)];
  return problems.length > 0 ? problems : await judgeAbort(about, bytes, large.wallMs);
}

/** Measures again what seems to break a limit, and takes the smaller values: a single run can be unlucky. */
async function measure(about: Measuring, bytes: number, small?: ShapeRun): Promise<ShapeRun> {
  writeAnswer(about.place, about.shape, bytes, about.delivery, about.mark);
  const first = await about.run(bytes);
  const isSuspect = judgeStall(bytes, first).length > 0 || judgeGrowth(small, first).length > 0;
  // A run of many seconds is no accident.
  if (!isSuspect || first.wallMs > 5000) return first;
  const second = await about.run(bytes);
  return {
    wallMs: Math.min(first.wallMs, second.wallMs),
    cpuMs: Math.min(first.cpuMs, second.cpuMs),
    stallMs: Math.min(first.stallMs, second.stallMs),
    problems: [...first.problems, ...second.problems],
  };
}

function judgeStall(bytes: number, { stallMs }: ShapeRun): readonly string[] {
  if (stallMs <= LONGEST_STALL_MS) return [];
  return [`${bytes} bytes block the event loop for ${Math.round(stallMs)} ms of CPU time, ${LONGEST_STALL_MS} are allowed`];
}

function judgeGrowth(small: ShapeRun | undefined, large: ShapeRun): readonly string[] {
  if (small === undefined) return [];
  const smallMs = Math.max(LEAST_CPU_MS, small.cpuMs);
  if (large.cpuMs <= MOST_GROWTH * smallMs) return [];
  const growth = `${Math.round(smallMs)} ms, for ten times the text ${Math.round(large.cpuMs)} ms`;
  return [`the time grows faster than the text: ${growth}; ${MOST_GROWTH} times is allowed`];
}

/** Aborts in the second half of the run, in which the answer is read. */
async function judgeAbort({ random, run }: Measuring, bytes: number, wallMs: number): Promise<readonly string[]> {
  const { heardMs, stallMs, problems } = await run(bytes, wallMs * (0.4 + random() * 0.6));
  if (heardMs === undefined || heardMs <= LATEST_ABORT_MS) return problems;
  const late = `the abort is heard after ${Math.round(heardMs)} ms of CPU time, ${LATEST_ABORT_MS} are allowed`;
  return [...problems, `${late} (longest stall ${Math.round(stallMs)} ms)`];
}

function isOneOf<Value extends string>(values: readonly Value[], value: string | undefined): value is Value {
  return values.some((one) => one === value);
}
