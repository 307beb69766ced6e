import { UNBUNDLE } from "../launch/locate.ts";
import { Guardian } from "../process/guardian/guardian.ts";
import type { RunHost } from "../run/run-host.ts";
import type { HealthWarning } from "../spec/health.ts";

/** The warning about a host whose guardian cannot be started; undefined if it can, or if the client wants none. */
export function missingGuardianWarning(guardian: Pick<Guardian, "isMissing"> | undefined): HealthWarning | undefined {
  if (guardian?.isMissing !== true) return undefined;
  return {
    code: "guardian-missing",
    message: "The guardian cannot be started: if this process is killed, the processes of its runs go on.",
    hint: UNBUNDLE,
  };
}

/** The same warning for this process, before its first run. */
export function guardianWarningHere(): HealthWarning | undefined {
  return missingGuardianWarning(new Guardian());
}

/** Without a guardian no process outlives its run. */
export function withoutKept(host: RunHost): RunHost {
  return host.guardian?.isMissing === true ? { ...host, pool: undefined, parked: undefined } : host;
}
