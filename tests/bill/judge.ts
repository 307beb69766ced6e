import type { Usage } from "../../src/index.ts";
import type { PlayedRun } from "./play.ts";
import { type Charge, type Entry, type Ledger, sum } from "./scripted/ledger.ts";

/** What a run or a session says it cost. */
type Counts = { readonly [Key in keyof Charge]?: number | undefined };

/** The faults of one conversation, each a line; empty if our counts are the bill. */
export function judge(runs: readonly PlayedRun[], ledger: Ledger): readonly string[] {
  const faults = runs.flatMap((run, at) => {
    const own = runs.flatMap(({ session }, turn) => (turn <= at && session?.id === run.session?.id ? [turn] : []));
    const found = [...judgeRun(run, at, ledger), ...(run.session === undefined ? [] : judgeSession(run.session, own, ledger))];
    return found.map((fault) => `run ${at + 1} (${run.step.do}): ${fault}`);
  });
  const untold = ledger.entries.filter(({ toldIn, isKeptBack }) => toldIn === undefined && isKeptBack !== true);
  if (untold.length > 0) faults.push(`the scripts did not tell ${untold.length} charges`);
  return faults;
}

const NONE: Usage = { estimated: false, scope: "turn" };

function judgeRun({ result, isForeign }: PlayedRun, run: number, ledger: Ledger): readonly string[] {
  const { usage = NONE, costUsd, costScope } = result;
  const own = ledger.entries.filter(({ toldIn }) => toldIn === run);
  const total = ledger.totals.get(result.sessionId ?? "");
  const isTotal = usage.scope === "thread";
  const faults: string[] = [];
  if (usage.estimated && own.length > 0) faults.push("the usage is estimated, and the CLI told it");
  if ((isTotal || costScope === "thread") && !isForeign) faults.push("the counts are of the thread, and its beginning is known");
  if (isTotal) faults.push(...(total === undefined ? [] : compareTokens("the thread", usage, total)));
  else if (!usage.estimated) faults.push(...compareTokens("the run", usage, own));
  if (costScope === "thread") faults.push(...(total === undefined ? [] : compareCost("the thread", costUsd, total)));
  else faults.push(...compareCost("the run", costUsd, own));
  return faults;
}

/** The totals of a session are those of its turns. */
function judgeSession(session: NonNullable<PlayedRun["session"]>, turns: readonly number[], ledger: Ledger): readonly string[] {
  const { usage, costUsd } = session.record;
  const entries = ledger.entries.filter(({ toldIn }) => toldIn !== undefined && turns.includes(toldIn));
  const what = "the session's record";
  return [...compareTokens(what, { ...usage }, entries), ...compareCost(what, costUsd, entries)];
}

function compareTokens(what: string, counts: Counts, entries: readonly Entry[]): readonly string[] {
  const bill = sum(entries.map(({ charge }) => charge));
  const all = entries.every(({ told }) => told === "all");
  const keys = (all ? ["inputTokens", "outputTokens", "cacheReadTokens"] : ["inputTokens"]) as readonly (keyof Charge)[];
  const wrong = keys.filter((key) => (counts[key] ?? 0) !== bill[key]);
  return wrong.map((key) => `${what} says ${counts[key] ?? 0} ${key}, the bill is ${bill[key]}`);
}

/** Claude Code alone tells a cost. */
function compareCost(what: string, costUsd: number | undefined, entries: readonly Entry[]): readonly string[] {
  const bill = sum(entries.filter(({ cli }) => cli === "claude").map(({ charge }) => charge)).costUsd;
  return Math.abs((costUsd ?? 0) - bill) < 1e-9 ? [] : [`${what} says ${costUsd ?? 0} USD, the bill is ${bill}`];
}
