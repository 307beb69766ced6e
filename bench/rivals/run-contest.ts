import { type CliName, openArena } from "./arena.ts";
import { type Contest, openContest } from "./contest.ts";
import { type AbortFigures, measureStubborn, measureSurvivors } from "./measure-abort.ts";
import { type CallFigures, measureCalls } from "./measure-calls.ts";
import { measurePairs, type PairFigures } from "./measure-pairs.ts";
import { measureRefusal, REFUSALS, type RefusalFigures } from "./measure-refusal.ts";
import { measureStream, type StreamFigures } from "./measure-stream.ts";
import { endEverything } from "./processes.ts";

/** How often each measurement is made. */
export type Effort = {
  readonly warmUp: number;
  readonly calls: number;
  readonly pairRounds: number;
  readonly plainCalls: number;
  readonly streams: number;
  readonly aborts: number;
  readonly refusals: number;
};

type ByName<Figures> = Readonly<Record<string, Figures>>;

/** Everything measured on one CLI, by contestant. */
export type ContestResults = {
  readonly cli: CliName;
  readonly names: readonly string[];
  readonly calls: ByName<CallFigures>;
  readonly plain: ByName<CallFigures>;
  readonly pairs: PairFigures;
  readonly stream: ByName<StreamFigures>;
  readonly survivors: ByName<readonly AbortFigures[]>;
  readonly stubborn: ByName<readonly AbortFigures[]>;
  /** By the kind of refusal, then by contestant. */
  readonly refusals: Readonly<Record<string, ByName<readonly RefusalFigures[]>>>;
};

/** Runs all scenarios on one CLI; prints its progress on stderr. */
export async function runContest(cli: CliName, effort: Effort): Promise<ContestResults> {
  const arena = await openArena(cli);
  const log = (what: string): boolean => process.stderr.write(`${cli}: ${what}\n`);
  try {
    const contest = await openContest(arena);
    log(`cold calls, ${effort.calls} rounds`);
    const calls = await measureCalls(contest, "pure", { warmUp: effort.warmUp, rounds: effort.calls });
    log(`against the bare CLI, ${effort.pairRounds} rounds`);
    const pairs = await measurePairs(contest, { warmUp: effort.warmUp, rounds: effort.pairRounds });
    log(`with the wrappers' defaults, ${effort.plainCalls} rounds`);
    const plain = await measureCalls(contest, "plain", { warmUp: effort.warmUp, rounds: effort.plainCalls });
    log(`50 MB stream, ${effort.streams} rounds`);
    const stream = await measureStream(contest, effort.streams);
    log(`abort while a tool runs, ${effort.aborts} rounds`);
    const survivors = await inTurn(contest, effort.aborts, (name) => measureSurvivors(contest, name));
    log(`abort of a program that ignores signals, ${effort.aborts} rounds`);
    const stubborn = await inTurn(contest, effort.aborts, (name) => measureStubborn(contest, name));
    const refusals: Record<string, ByName<readonly RefusalFigures[]>> = {};
    for (const [title, answer] of Object.entries(REFUSALS[cli])) {
      log(`${title}, ${effort.refusals} rounds`);
      refusals[title] = await inTurn(contest, effort.refusals, (name) => measureRefusal(contest, name, answer));
    }
    return { cli, names: contest.names, calls, plain, pairs, stream, survivors, stubborn, refusals };
  } finally {
    // A CLI that a contestant left running would write its transcript into the folder while it is removed.
    endEverything();
    await arena.close();
  }
}

async function inTurn<Figures>(
  { names }: Contest,
  rounds: number,
  measure: (name: string) => Promise<Figures>,
): Promise<ByName<readonly Figures[]>> {
  const figures: Record<string, Figures[]> = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) for (const name of names) figures[name]?.push(await measure(name));
  return figures;
}
