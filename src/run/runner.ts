import { resolve } from "node:path";
import type { Guardian } from "../process/guardian.ts";
import { createFailure } from "../spec/create-failure.ts";
import type { Failure } from "../spec/failure.ts";
import type { LaunchPlan } from "../spec/launch-plan.ts";
import type { Provider } from "../spec/provider.ts";
import type { PromptRequest, RunRequest, Target } from "../spec/request.ts";
import type { RunContext, Runner, RunStream } from "../spec/stream.ts";
import { type Telling, toPromptRequest } from "../tools/to-prompt.ts";
import { Call, type CallParts } from "./call.ts";
import { withoutIgnored } from "./check-support.ts";
import { findInstalled, type InstalledCli, warnOfUnproven } from "./installed-cli.ts";
import type { KnownVersions } from "./known-versions.ts";
import { planLaunch } from "./plan-launch.ts";
import { ReadRun } from "./read-run.ts";
import { CANCELLED, refusedRun } from "./refused-run.ts";
import { RunIds } from "./run-ids.ts";
import { createRunStream } from "./run-stream.ts";
import type { Spill } from "./spill.ts";
import { validateConversation } from "./validate-conversation.ts";
import { validateRequest } from "./validate-request.ts";

/** A process that may still be there. */
export type ActiveProcess = {
  /** Ends it and everything it caused. */
  end(): void;
  readonly gone: Promise<void>;
};

/** What runs share: the environment they inherit, who guards them, and their bounds. */
export type RunHost = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly guardian: Guardian | undefined;
  readonly limits: { readonly lineBytes: number; readonly spillBytes: number };
  /** Files with events that nobody has read yet. */
  readonly spills: Set<Spill>;
  readonly providers: readonly Provider[];
  readonly versions: KnownVersions;
  /** Aborted when the client is closed: nothing is started any more. */
  readonly closing: AbortSignal;
  readonly nextRunId: () => string;
  readonly track: (process: ActiveProcess) => void;
};

/** What a run is given by those that make one run of several. */
export type InnerContext = RunContext & {
  /** Where the ids of its processes come from; new ones by default. */
  readonly [RUN_IDS]?: RunIds;
};

/** A symbol, so that nobody gives it by chance. */
export const RUN_IDS: unique symbol = Symbol("coxswain.runIds");

/** The runner below all others: it starts one process for the first target. */
export function createRunner(host: RunHost): Runner {
  return (targets, request, context) => {
    const target = targets[0];
    if (target === undefined) throw new TypeError("A run needs a target.");
    return startSafely(host, target, request, context);
  };
}

/** The provider of that name. */
export function findProvider(host: Pick<RunHost, "providers">, id: string): Provider | undefined {
  return host.providers.find((provider) => provider.id === id || provider.aliases.includes(id));
}

/** The id of the provider of that name; the name itself where there is none. */
export function providerIdOf(host: Pick<RunHost, "providers">, name: string): string {
  return findProvider(host, name)?.id ?? name;
}

/** The plan of a run's first call, or the failure that keeps it from being made. */
export function planCall(host: RunHost, target: Target, request: RunRequest, context: RunContext): LaunchPlan | Failure {
  const provider = findProvider(host, target.provider);
  if (provider === undefined) return unknownProvider(host, target.provider);
  return planInstalled(host, findInstalled(host, provider), target, request, context);
}

function planInstalled(
  host: RunHost,
  cli: InstalledCli,
  target: Target,
  request: RunRequest,
  context: RunContext,
): LaunchPlan | Failure {
  const invalid = validateConversation(request);
  if (invalid !== undefined) return invalid;
  const prompt = toPromptRequest(withAbsolutePaths(request), tellingOf(cli.provider, request));
  return planPrompt(host, cli, target, prompt, context);
}

function planPrompt(
  host: RunHost,
  { provider, found }: InstalledCli,
  target: Target,
  request: PromptRequest,
  context: RunContext,
): LaunchPlan | Failure {
  const settled = withoutIgnored(provider, request).request;
  const invalid = validateRequest(provider, target, settled, host.env);
  if (invalid !== undefined) return invalid;
  if (!("command" in found)) return found;
  const answersPermissions = context.onPermission !== undefined;
  return planLaunch(provider, target, settled, { ...found, answersPermissions, env: host.env });
}

/** The CLI's own schema option makes it answer with the value at once, so beside host tools the schema goes in front of the conversation. */
function tellingOf(provider: Provider, { tools = [] }: RunRequest): Telling {
  const isNative = provider.options.includes("output-schema") && tools.length === 0;
  return { schemaPlace: isNative ? "native" : "prompt", takesSystem: provider.traits.systemPrompt !== "none" };
}

/** The CLI runs in another directory than we do, so relative paths are read here, as the caller means them. */
function withAbsolutePaths(request: RunRequest): RunRequest {
  const { cwd, addDirs } = request;
  if (cwd === undefined && addDirs === undefined) return request;
  const base = resolve(cwd ?? ".");
  return {
    ...request,
    ...(cwd !== undefined && { cwd: base }),
    ...(addDirs !== undefined && { addDirs: addDirs.map((directory) => (directory === "" ? "" : resolve(base, directory))) }),
  };
}

/** The failure that names the providers there are. */
export function unknownProvider(host: Pick<RunHost, "providers">, id: string): Failure {
  const ids = host.providers.map((provider) => provider.id).join(", ");
  return createFailure("provider-unknown", `There is no provider "${id}".`, { hint: `Choose one of: ${ids}.` });
}

/** What a request holds in its depths, and what a provider of somebody else does with it, may be anything. */
function startSafely(host: RunHost, target: Target, request: RunRequest, context: InnerContext): RunStream {
  const runIds = context[RUN_IDS] ?? new RunIds(host.nextRunId);
  try {
    return startRun(host, target, withAbsolutePaths(request), context, runIds);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const failure = createFailure("bad-request", `The request cannot be executed: ${why}`);
    return refusedRun(runIds.first, request, failure, context);
  }
}

/** A plain run is one call; where the answer has to be read, calls are started by what reads it. */
function startRun(host: RunHost, target: Target, request: RunRequest, context: RunContext, runIds: RunIds): RunStream {
  const run = runIds.take();
  if (isUnwanted(host, context)) return refusedRun(run, request, CANCELLED, context);
  const known = findProvider(host, target.provider);
  if (known === undefined) return refusedRun(run, request, unknownProvider(host, target.provider), context);
  const cli = findInstalled(host, known);
  const plan = planInstalled(host, cli, target, request, context);
  if (!("command" in plan)) return refusedRun(run, request, plan, context);
  const telling = tellingOf(cli.provider, request);
  if ((request.tools ?? []).length === 0 && request.outputSchema === undefined)
    return startCall(cli, { host, target, request: toPromptRequest(request, telling), context, plan, run });
  let calls = 0;
  const start = (prompt: PromptRequest): RunStream => {
    calls += 1;
    return startPrompt(host, cli, target, prompt, context, calls === 1 ? run : runIds.take());
  };
  return new ReadRun({ run, host, provider: cli.provider, request, runIds, context, telling, start }).stream;
}

function startPrompt(
  host: RunHost,
  cli: InstalledCli,
  target: Target,
  request: PromptRequest,
  context: RunContext,
  run: string,
): RunStream {
  const plan = isUnwanted(host, context) ? CANCELLED : planPrompt(host, cli, target, request, context);
  if (!("command" in plan)) return refusedRun(run, request, plan, context);
  return startCall(cli, { host, target, request, context, plan, run });
}

function startCall(cli: InstalledCli, parts: Omit<CallParts, "provider" | "warnings">): RunStream {
  const { host, request } = parts;
  const { provider } = cli;
  const warnings = [...warnOfUnproven(host, cli), ...withoutIgnored(provider, request).warnings];
  const call = new Call({ ...parts, provider, warnings });
  call.start();
  const { queue, cancel, done } = call;
  return createRunStream({ next: () => queue.next(), discard: () => queue.discard(), cancel, done });
}

function isUnwanted(host: RunHost, context: RunContext): boolean {
  return host.closing.aborted || context.signal?.aborted === true;
}
