import type { Guardian } from "../process/guardian.ts";
import { createFailure } from "../spec/create-failure.ts";
import type { Failure } from "../spec/failure.ts";
import type { LaunchPlan } from "../spec/launch-plan.ts";
import type { Provider } from "../spec/provider.ts";
import type { RunRequest, Target } from "../spec/request.ts";
import type { RunContext, Runner, RunStream } from "../spec/stream.ts";
import { Call } from "./call.ts";
import { concludeFailure } from "./conclude.ts";
import { EventLog } from "./event-log.ts";
import { locate } from "./locate.ts";
import { planLaunch } from "./plan-launch.ts";
import { createRunStream, type RunSource } from "./run-stream.ts";
import { validateRequest } from "./validate-request.ts";

/** A call whose process may still be there. */
export type ActiveCall = {
  /** Ends the call, if it is not over, and everything it caused. */
  end(): void;
  readonly gone: Promise<void>;
};

/** What runs share: the environment they inherit, who guards them, and their bounds. */
export type RunHost = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly guardian: Guardian | undefined;
  readonly limits: { readonly lineBytes: number; readonly spillBytes: number };
  readonly providerIds: readonly string[];
  readonly findProvider: (id: string) => Provider | undefined;
  readonly nextRunId: () => string;
  readonly track: (call: ActiveCall) => void;
};

/** The runner below all others: it starts one process for the first target. */
export function createRunner(host: RunHost): Runner {
  return (targets, request, context) => {
    const target = targets[0];
    if (target === undefined) throw new TypeError("A run needs a target.");
    return startCall(host, target, request, context);
  };
}

/** The plan of a call, or the failure that keeps it from being made. */
export function planCall(host: RunHost, target: Target, request: RunRequest, context: RunContext): LaunchPlan | Failure {
  const provider = host.findProvider(target.provider);
  if (provider === undefined) return unknownProvider(host, target.provider);
  const invalid = validateRequest(provider, target, request, host.env);
  if (invalid !== undefined) return invalid;
  const found = locate(provider, host.env);
  if (!("command" in found)) return found;
  return planLaunch(provider, target, request, { ...found, answersPermissions: context.onPermission !== undefined });
}

function unknownProvider(host: RunHost, id: string): Failure {
  return createFailure("provider-unknown", `There is no provider "${id}".`, {
    hint: `Choose one of: ${host.providerIds.join(", ")}.`,
  });
}

function startCall(host: RunHost, target: Target, request: RunRequest, context: RunContext): RunStream {
  const run = host.nextRunId();
  const provider = host.findProvider(target.provider);
  const plan =
    context.signal?.aborted === true
      ? createFailure("interrupted", "The run was cancelled.")
      : planCall(host, target, request, context);
  const keepEvents = context.keepEvents === true;
  if (!("command" in plan)) return createRunStream(refusedRun(run, plan), keepEvents);
  if (provider === undefined) throw new TypeError("A plan without a provider.");
  const call = new Call({ host, run, plan, provider, target, request, context });
  call.start();
  return createRunStream({ next: () => call.queue.next(), cancel: call.cancel }, keepEvents);
}

/** A run that ends before anything was started. */
function refusedRun(run: string, failure: Failure): RunSource {
  const log = new EventLog(() => performance.now());
  log.stamp({ type: "run-start", runId: run });
  concludeFailure(log, failure);
  const batches = [log.take()];
  return { next: () => batches.shift(), cancel: () => {} };
}
