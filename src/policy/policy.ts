import type { RunHost } from "../run/run-host.ts";
import { type InnerContext, RUN_IDS } from "../run/runner.ts";
import type { Runner } from "../spec/stream.ts";

/** Wraps a runner; what it gives is a runner again. */
export type Policy = (next: Runner) => Runner;

/** What policies share with the runs below them. */
export type PolicyHost = Pick<RunHost, "env" | "limits" | "spills" | "providers" | "closing" | "nextRunId"> & {
  /** The wall clock, in milliseconds since 1970; what is remembered across runs is measured by it. */
  readonly now: () => number;
};

/** The id of a run that starts nothing. */
export function runIdOf(host: PolicyHost, context: InnerContext): string {
  return context[RUN_IDS]?.first ?? host.nextRunId();
}
