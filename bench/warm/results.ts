import type { CliName } from "../../tests/real/clis/index.ts";
import type { Surroundings } from "../rivals/surroundings.ts";
import type { CallResults } from "./measure-calls.ts";
import type { FreshFigures } from "./measure-hosts.ts";
import type { LongFigures } from "./measure-long.ts";
import type { BurstFigures, WaitingFigures } from "./measure-pool.ts";
import type { StepFigures } from "./measure-steps.ts";
import type { Reason } from "./series.ts";

/** Everything measured on one CLI. */
export type CliResults = {
  readonly cli: CliName;
  readonly calls: CallResults;
  /** Absent for a CLI that parks no turn. */
  readonly steps?: StepFigures;
  readonly fresh: FreshFigures;
  readonly burst: BurstFigures;
  readonly waiting: WaitingFigures;
  readonly exitMs: number;
  readonly long?: LongFigures;
};

/** A whole run. */
export type WarmResults = {
  readonly surroundings: Surroundings;
  readonly rounds: number;
  /** How many calls were made although the machine was busy. */
  readonly busy: number;
  readonly clis: readonly CliResults[];
  /** The CLIs without a resident transport. */
  readonly cold: readonly CliName[];
  /** The CLIs that could not be measured. */
  readonly failed: readonly (Reason & { readonly cli: CliName })[];
};
