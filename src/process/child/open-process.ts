import type { Failure } from "../../spec/failure/failure.ts";
import type { ProcessPlan } from "../../spec/provider/launch-plan.ts";
import type { Guardian } from "../guardian/guardian.ts";
import { type Environment, startProcess } from "./start-process.ts";
import { type SuperviseOptions, Supervisor } from "./supervise.ts";

/** The run of the process, its environment and its callbacks. */
export type OpenOptions = Pick<SuperviseOptions, "run" | "stopSignal" | "onStdout" | "onStderr" | "onEnd"> & {
  /** The environment that the process inherits. */
  readonly env: Environment;
  readonly guardian: Guardian | undefined;
};

/**
 * Starts a process and supervises it until it has exited. It is registered with the guardian before anything is written to it.
 */
export function openProcess(plan: ProcessPlan, options: OpenOptions): Supervisor | Failure | Promise<Failure> {
  const { env, guardian, ...rest } = options;
  const started = startProcess(plan, rest.run, env);
  if (!("child" in started)) return started;
  const { child, output, directory, ...remains } = started;
  const { run, stopSignal: signal } = rest;
  const isGuarded =
    guardian?.start({ op: "start", run, pid: child.pid ?? 0, startedAt: Date.now(), signal, ...remains }) === true;
  return new Supervisor(child, { ...rest, ...remains, output, directory, guardian: isGuarded ? guardian : undefined });
}
