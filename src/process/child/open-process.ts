import { dirname } from "node:path";
import { hostDirectory } from "../../files/host-directory.ts";
import type { Failure } from "../../spec/failure/failure.ts";
import type { ProcessPlan } from "../../spec/provider/launch-plan.ts";
import type { Guardian } from "../guardian/guardian.ts";
import { sweepDeadHosts } from "../guardian/sweep-hosts.ts";
import { RUN_MARKER } from "../tree/process-table.ts";
import { type Environment, startProcess } from "./start-process.ts";
import { type SuperviseOptions, Supervisor } from "./supervise.ts";

export type OpenOptions = Pick<SuperviseOptions, "run" | "stopSignal" | "onStdout" | "onStderr" | "onEnd"> & {
  /** The environment that the process inherits. */
  readonly env: Environment;
  readonly guardian: Guardian | undefined;
};

/**
 * Starts a process and supervises it until it has exited. The directory of its files is registered with the guardian before it exists, and the process
 * before anything is written to it.
 */
export function openProcess(plan: ProcessPlan, options: OpenOptions): Supervisor | Failure | Promise<Failure> {
  const { env, guardian, ...rest } = options;
  const host = hostDirectory({ ...env, ...plan.env });
  if (guardian?.ownDirectory(host) !== true) sweepOnce(dirname(host));
  const started = startProcess(plan, rest.run, env, host);
  if (!("child" in started)) return started;
  const { child, output, directory, ...remains } = started;
  const { run, stopSignal: signal } = rest;
  const isGuarded =
    guardian?.start({ op: "start", run, pid: child.pid ?? 0, startedAt: Date.now(), signal, ...remains }) === true;
  return new Supervisor(child, { ...rest, ...remains, output, directory, guardian: isGuarded ? guardian : undefined });
}

/** The directories that this process has swept. */
const swept = new Set<string>();

/** A host without a guardian does the guardian's work. */
function sweepOnce(base: string): void {
  if (swept.has(base)) return;
  swept.add(base);
  sweepDeadHosts(base, process.env[RUN_MARKER]).catch(() => {});
}
