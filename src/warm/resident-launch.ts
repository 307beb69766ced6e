import { identityOfCli } from "../launch/identity.ts";
import type { Prepared, PreparedResident } from "../launch/prepare.ts";
import type { Channel } from "../process/channel/channel.ts";

/** How a process that takes several turns is started, and which requests may share it. */
export type ResidentLaunch = {
  readonly provider: string;
  /** Equal for launches that start the same process. */
  readonly key: string;
  /** Changes when the program or its login is replaced. */
  readonly identity: string;
  /** The number of turns that one process can take at the same time. */
  readonly turnsAtOnce: number;
  /** What a process that waits can be told about a turn like this one, if anything; equal for turns that are told the same. */
  readonly settings: string | undefined;
  /** True if a process that is prepared for these settings takes no others, so that another process waits for those. */
  readonly bindsToSettings: boolean;
  /** Undefined if the process could not be started. */
  readonly open: (onIdle: () => void) => Channel | undefined;
};

export function toResidentLaunch(
  { cli, target, env, request }: Prepared,
  { transport: { wire }, key, settings }: PreparedResident,
  open: ResidentLaunch["open"],
): ResidentLaunch {
  return {
    provider: cli.provider.id,
    identity: identityOfCli(cli, target, { ...env, ...request.env }),
    turnsAtOnce: wire.turnsAtOnce,
    bindsToSettings: wire.preparation?.bindsToSettings(request) === true,
    ...{ key, settings, open },
  };
}
