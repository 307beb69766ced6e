import type { Client, PolicyOptions } from "../../../src/index.ts";
import type { Provider } from "../../../src/provider.ts";
import type { RunRequest } from "../../../src/spec/request.ts";
import type { RunContext, RunStream } from "../../../src/spec/stream.ts";
import { type FinishedRun, finishRun } from "../runs/read-run.ts";
import { type Fleet, openFleet, type SeenStart } from "./open-fleet.ts";
import { plainCli } from "./played-cli.ts";
import type { Play } from "./plays.ts";

/** A CLI that plays the script of each test, start by start. */
export type ScriptedCli = {
  readonly client: Client;
  /** Another client for the same CLI. */
  readonly another: Fleet["another"];
  run(request: RunRequest, context?: RunContext): RunStream;
  /** Reads the run to its end, and checks that the events are well formed and that no process is left. */
  finish(request: RunRequest, context?: RunContext): Promise<FinishedRun>;
  /** The number of starts of the CLI. */
  starts(): number;
  /** What each completed start received; waits until all its processes are gone. */
  calls(): Promise<readonly SeenStart[]>;
  /** Resolves when no process of this CLI is running. */
  untilQuiet(): Promise<void>;
};

/** Opens a fleet of one CLI whose n-th start plays the n-th play, and fails if there is none. */
export function openCli(
  script: readonly Play[],
  provider: Provider = plainCli,
  policies: PolicyOptions | false = false,
): ScriptedCli {
  const { id } = provider;
  const after: Play = [
    { do: "write", text: `started more often than ${script.length} times`, to: "stderr" },
    { do: "exit", code: 70 },
  ];
  const fleet = openFleet({ [id]: script }, { policies, changes: { [id]: provider }, after });
  const { client, untilQuiet } = fleet;
  const run = (request: RunRequest, context?: RunContext): RunStream => client.run(id, request, context);
  return {
    client,
    another: fleet.another,
    run,
    async finish(request, context) {
      const finished = await finishRun(run(request, context));
      await untilQuiet();
      return finished;
    },
    starts: () => fleet.starts(id),
    async calls() {
      await untilQuiet();
      return fleet.calls(id);
    },
    untilQuiet,
  };
}
