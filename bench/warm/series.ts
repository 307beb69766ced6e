import { setTimeout as delay } from "node:timers/promises";
import { median } from "../measure.ts";
import { awaitQuiet } from "../rivals/await-quiet.ts";
import type { CallReport, Host, Question } from "../rivals/host-process.ts";
import { ANSWER } from "../rivals/measure-calls.ts";

/** Calls of one kind that are repeated; `ask` gets the report of the last one. */
export type Series = {
  readonly name: string;
  readonly host: Host;
  readonly ask: (round: number, last: CallReport | undefined) => Question;
  /** True if its calls continue one conversation: each round has two turns, the second one second after the first. */
  readonly continues?: boolean;
  /** A series that fails is left out with its reason; the whole bench fails with any other. */
  readonly mayFail?: boolean;
};

/** The median until the first text, and how many of the calls were answered by a process that was already running. */
export type SeriesFigures = {
  readonly firstTextMs: number;
  /** The same for the first turn of each round of a conversation, which follows the calls of all other series. */
  readonly restedMs?: number;
  readonly calls: number;
  readonly warm: number;
};

/** Why something was not measured. */
export type Reason = { readonly reason: string };

/** The first calls start the processes that wait; the pool starts one after the second. */
export const WARM_UP = 3;
/** The pause between two calls. */
export const PAUSE_MS = 1000;

/** The reports of one round: of a single call, or of two turns of a conversation. */
type RoundReports = readonly [CallReport, ...CallReport[]];

/** All series in turn, one second between two calls; each round begins with another series. */
export async function measureSeries(
  series: readonly Series[],
  rounds: number,
): Promise<Readonly<Record<string, SeriesFigures | Reason>>> {
  const reports = new Map(series.map(({ name }) => [name, [] as RoundReports[]]));
  const reasons: Record<string, Reason> = {};
  for (let round = -WARM_UP; round < rounds; round += 1)
    for (let turn = 0; turn < series.length; turn += 1) {
      const each = series[(turn + round + WARM_UP) % series.length];
      if (each === undefined || each.name in reasons) continue;
      const list = reports.get(each.name) ?? [];
      const asked = await askRound(each, round, list.at(-1)?.at(-1));
      const reason = asked.map(findReason).find((found) => found !== undefined);
      if (reason === undefined) list.push(asked);
      else if (each.mayFail) reasons[each.name] = { reason };
      else throw new Error(`${each.name}: ${reason}`);
    }
  const figures = [...reports].map(([name, list]) => [name, reasons[name] ?? toFigures(list.slice(WARM_UP))]);
  return Object.fromEntries(figures) as Record<string, SeriesFigures | Reason>;
}

async function askRound(series: Series, round: number, last: CallReport | undefined): Promise<RoundReports> {
  const first = await askOnce(series, round, last);
  return series.continues ? [first, await askOnce(series, round, first)] : [first];
}

async function askOnce({ host, ask }: Series, round: number, last: CallReport | undefined): Promise<CallReport> {
  await delay(PAUSE_MS);
  await awaitQuiet();
  return await host.ask(ask(round, last));
}

function findReason({ error, text, firstTextMs }: CallReport): string | undefined {
  if (error !== undefined) return `${error.name}: ${error.message}`;
  return text?.includes(ANSWER) && firstTextMs !== undefined ? undefined : `another answer: ${text?.slice(0, 100)}`;
}

function toFigures(rounds: readonly RoundReports[]): SeriesFigures {
  const last = rounds.map((reports) => reports.at(-1) ?? reports[0]);
  const rested = rounds.flatMap((reports) => (reports.length > 1 ? [reports[0]] : []));
  return {
    firstTextMs: medianOf(last),
    ...(rested.length > 0 && { restedMs: medianOf(rested) }),
    calls: last.length,
    warm: last.filter(({ warm }) => warm).length,
  };
}

function medianOf(reports: readonly CallReport[]): number {
  return median(reports.map(({ firstTextMs }) => firstTextMs ?? Number.NaN));
}
