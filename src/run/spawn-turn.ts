import { openChannel } from "../process/channel.ts";
import type { ProcessPlan } from "../spec/launch-plan.ts";
import type { Provider } from "../spec/provider.ts";
import type { RunHost } from "./run-host.ts";
import type { Turn } from "./turn.ts";

/** The host, the provider and the run id of the process. */
export type SpawnParts = { readonly host: RunHost; readonly provider: Provider; readonly run: string };

/** Starts a process for one turn and begins the turn; the host tracks the process until it has ended. */
export function spawnTurn(turn: Turn, plan: ProcessPlan, { host, provider, run }: SpawnParts): void {
  const { env, guardian, limits } = host;
  const { stopSignal, wire } = provider.transports.spawn;
  const opened = openChannel(plan, { run, env, guardian, stopSignal, wire, lineBytes: limits.lineBytes });
  if ("take" in opened) {
    const end = (): void => {
      turn.cancel();
      opened.end();
    };
    host.track({ end, gone: opened.gone });
  }
  turn.begin(opened);
}
