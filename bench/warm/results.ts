import type { CliName } from "../../tests/support/real-clis/rows/index.ts";
import type { Surroundings } from "../rivals/surroundings.ts";
import type { CallResults } from "./measure-calls.ts";
import type { FreshFigures } from "./measure-hosts.ts";
import type { LongFigures } from "./measure-long.ts";
import type { BurstFigures, WaitingFigures } from "./measure-pool.ts";
import type { StepFigures } from "./measure-steps.ts";
import type { TerminalFigures } from "./measure-terminal.ts";
import type { Reason } from "./series.ts";

/** Everything measured on one CLI. */
export type CliResults = {
  readonly cli: CliName;
  readonly calls: CallResults;
  /** Absent for a CLI that parks no turn. */
  readonly steps?: StepFigures;
  readonly fresh: FreshFigures;
  /** Absent for a CLI that is kept warm only if a caller asks for it, which `cox ask` does not. */
  readonly terminal?: TerminalFigures;
  readonly burst: BurstFigures;
  readonly waiting: WaitingFigures;
  readonly exitMs: number;
  readonly long?: LongFigures;
};

/** Under which conditions some CLIs were measured. */
export type Conditions = {
  readonly clis: readonly CliName[];
  readonly rounds: number;
  /** How many calls were made although the machine was busy. */
  readonly busy: number;
  /** The load of the machine over the last minute, at the begin and at the end. */
  readonly load: readonly [number, number];
  /** The scheduling of the measured processes. */
  readonly scheduling: string;
  /** The commit of Coxswain. */
  readonly coxswain: string;
};

/** A whole run, or several runs of some CLIs each. */
export type WarmResults = {
  readonly surroundings: Surroundings;
  readonly runs: readonly Conditions[];
  readonly clis: readonly CliResults[];
  /** The CLIs without a resident transport. */
  readonly cold: readonly CliName[];
  /** The CLIs that could not be measured. */
  readonly failed: readonly (Reason & { readonly cli: CliName })[];
};

/** Several runs as one; they were made with the same CLIs and rivals on the same machine. */
export function mergeResults([first, ...others]: readonly WarmResults[]): WarmResults {
  if (first === undefined) throw new TypeError("there are no results to merge");
  const all = [first, ...others];
  const placeOf = ({ date: _, versions: { coxswain: __, ...versions }, ...place }: Surroundings): string =>
    JSON.stringify({ ...place, versions });
  if (all.some(({ surroundings }) => placeOf(surroundings) !== placeOf(first.surroundings)))
    throw new TypeError("the results are of other versions or of another machine");
  return {
    surroundings: first.surroundings,
    runs: all.flatMap(({ runs }) => runs),
    clis: all.flatMap(({ clis }) => clis),
    cold: all.flatMap(({ cold }) => cold),
    failed: all.flatMap(({ failed }) => failed),
  };
}
