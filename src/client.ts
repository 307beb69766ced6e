import { setMaxListeners } from "node:events";
import { builtinProviders } from "./clis/index.ts";
import { describeMistake, readConfigFile } from "./config/read-config-file.ts";
import { createHealth } from "./health/create-health.ts";
import { explainUnknownOption } from "./health/explain-unknown-option.ts";
import { mapModels } from "./policy/map-models.ts";
import { QuotaMemory } from "./policy/quota-memory.ts";
import { readPolicyOptions } from "./policy/read-policy-options.ts";
import { textTools } from "./policy/text-tools.ts";
import { withPolicies } from "./policy/with-policies.ts";
import { type Guardian, useGuardian } from "./process/guardian.ts";
import { withAbsolutePaths } from "./run/absolute-paths.ts";
import { createAttempt, planFirstAttempt } from "./run/attempt.ts";
import { DEFAULT_LINE_BYTES, DEFAULT_SPILL_BYTES } from "./run/defaults.ts";
import { KnownVersions } from "./run/known-versions.ts";
import { locate } from "./run/locate.ts";
import { openRun } from "./run/open-run.ts";
import type { Part } from "./run/part.ts";
import { readRequest } from "./run/read-request.ts";
import { readTarget, readTargets, type Targets } from "./run/read-targets.ts";
import { findProvider, providerIdOf, resolveTarget } from "./run/resolve-target.ts";
import type { ActiveProcess, RunHost } from "./run/run-host.ts";
import type { Spill } from "./run/spill.ts";
import type { Failure } from "./spec/failure.ts";
import type { EnvironmentOptions, EnvironmentReport, HealthOptions, HealthReport } from "./spec/health.ts";
import type { LaunchPlan } from "./spec/launch-plan.ts";
import type { FallbackOptions, PolicyOptions, SpentQuota } from "./spec/policy.ts";
import type { Provider } from "./spec/provider.ts";
import type { RunRequest, TargetChoice } from "./spec/request.ts";
import type { RunContext, RunStream } from "./spec/stream.ts";

/** What a client may be given; every part has a default. */
export type ClientOptions = {
  /** Which providers exist; the built-in ones by default. */
  readonly providers?: readonly Provider[];
  /** A configuration file with further providers; none is looked for by itself. A mistake in it is thrown as a TypeError. */
  readonly config?: string | false;
  /** What the CLIs inherit; the environment of this process by default. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Paths of binaries by provider id, where PATH should not decide. */
  readonly binaries?: Readonly<Record<string, string>>;
  /** Whether a guardian ends everything when this process dies; true by default. */
  readonly guardian?: boolean;
  readonly limits?: { readonly lineBytes?: number; readonly spillBytes?: number };
  /** What is done about failing, busy and expensive providers; see docs/policies.md for the defaults. */
  readonly policies?: PolicyOptions | false;
  /** The wall clock, in milliseconds since 1970, by which spent quotas and resting providers are judged. */
  readonly now?: () => number;
};

/** Runs requests on CLIs. */
export type Client = AsyncDisposable & {
  readonly providers: readonly Provider[];
  /** Starts a run at once; of several targets the first is asked, and each other when those before it cannot answer. */
  run(targets: TargetChoice | readonly TargetChoice[], request: RunRequest, context?: RunContext): RunStream;
  /** What `run` would start for this target, without starting it. */
  plan(
    target: TargetChoice,
    request: RunRequest,
    context?: RunContext,
  ): { readonly plan: LaunchPlan } | { readonly failure: Failure };
  /** Where the program of a provider is, if it can be found. */
  locate(provider: string): string | undefined;
  /** Whether the CLI can be started here; starts it for its version only. Never rejects. */
  validateEnvironment(target: TargetChoice, options?: EnvironmentOptions): Promise<EnvironmentReport>;
  /** Whether the CLI is there, in its right version and logged in; on request also whether it answers. Never rejects. */
  check(target: TargetChoice, options?: HealthOptions): Promise<HealthReport>;
  /** The accounts that are known to have spent their quota. */
  spentQuotas(): readonly SpentQuota[];
  /** Forgets them, of one provider or of all; gives what was forgotten. */
  forgetQuotas(provider?: string): readonly SpentQuota[];
  /**
   * Ends all runs and waits until everything they caused is gone; runs asked for afterwards are cancelled. A script that never
   * calls it exits all the same.
   */
  close(): Promise<void>;
};

/** Makes a client; starts nothing before its first run. */
export function createClient(options: ClientOptions = {}): Client {
  const policies = readPolicyOptions(options.policies ?? {});
  const providers = withBinaries(withConfig(options.providers ?? builtinProviders, options.config), options.binaries ?? {});
  const { guardian, leave } = useGuardian();
  const active = new Set<ActiveProcess>();
  const closing = new AbortController();
  const host: RunHost = {
    ...toHost(options, guardian, active, closing.signal),
    providers,
    explainUnknownOption: (failure, provider) => explainUnknownOption(failure, provider, host),
  };
  const now = options.now ?? Date.now;
  const memory = new QuotaMemory(host.env);
  const part = textTools(createAttempt(host), host);
  const guarded = withPolicies(part, { env: host.env, now }, memory, policies);
  const resolve = (targets: Targets): Parameters<Part>[0] => resolveTargets(host, targets, fallbackOf(options));
  const health = createHealth(host, (target, request) => start(host, part, resolve([target]), request, {}));
  const close = async (): Promise<void> => {
    closing.abort();
    await endAll(active);
    for (const spill of host.spills) spill.close();
    await leave();
  };
  return {
    providers: host.providers,
    run: (targets, request, context = {}) => start(host, guarded, resolve(readTargets(targets)), readRequest(request), context),
    plan(target, request, context = {}) {
      const [resolved] = resolve([readTarget(target)]);
      const settled = withAbsolutePaths(readRequest(request));
      const plan = planFirstAttempt(host, resolved, settled, context.onPermission !== undefined);
      return "command" in plan ? { plan } : { failure: plan };
    },
    locate: (id) => commandOf(host, id),
    validateEnvironment: (target, about = {}) => health.validateEnvironment(readTarget(target), about),
    check: (target, about = {}) => health.check(readTarget(target), about),
    spentQuotas: () => memory.list(now()),
    forgetQuotas(name) {
      const id = name === undefined ? undefined : providerIdOf(host, name);
      const forgotten = memory.list(now()).filter(({ provider }) => id === undefined || provider === id);
      for (const spent of forgotten) memory.forget(spent);
      return forgotten;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Opens a run of that part; paths become absolute here, once for all attempts. */
function start(host: RunHost, part: Part, targets: Parameters<Part>[0], request: RunRequest, context: RunContext): RunStream {
  return openRun(host, request, context, (partContext) => part(targets, withAbsolutePaths(request), partContext));
}

function resolveTargets(host: RunHost, targets: Targets, options: FallbackOptions): Parameters<Part>[0] {
  const [first, ...others] = mapModels(targets, options, (name) => providerIdOf(host, name));
  return [resolveTarget(host, first), ...others.map((target) => resolveTarget(host, target))];
}

function toHost(
  options: ClientOptions,
  guardian: Guardian,
  active: Set<ActiveProcess>,
  closing: AbortSignal,
): Omit<RunHost, "providers" | "explainUnknownOption"> {
  // Every run that waits listens to it.
  setMaxListeners(0, closing);
  return {
    env: options.env ?? process.env,
    guardian: options.guardian === false ? undefined : guardian,
    limits: {
      lineBytes: options.limits?.lineBytes ?? DEFAULT_LINE_BYTES,
      spillBytes: options.limits?.spillBytes ?? DEFAULT_SPILL_BYTES,
    },
    spills: new Set<Spill>(),
    versions: new KnownVersions(options.env ?? process.env),
    closing,
    nextRunId: () => guardian.nextRunId(),
    track: (process) => {
      active.add(process);
      void process.gone.then(() => active.delete(process));
    },
  };
}

function fallbackOf({ policies }: ClientOptions): FallbackOptions {
  return (policies !== false && policies?.fallback) || {};
}

function commandOf(host: RunHost, id: string): string | undefined {
  const provider = findProvider(host, id);
  const found = provider === undefined ? undefined : locate(provider, host.env);
  return found !== undefined && "command" in found ? found.command : undefined;
}

/** Keeps this process alive until all children are gone; each of them is bounded in time. */
async function endAll(active: ReadonlySet<ActiveProcess>): Promise<void> {
  const keepAlive = setInterval(() => {}, 1000);
  for (const process of active) process.end();
  while (active.size > 0) await Promise.all([...active].map((process) => process.gone));
  clearInterval(keepAlive);
}

function withConfig(providers: readonly Provider[], path: string | false | undefined): readonly Provider[] {
  if (path === undefined || path === false) return providers;
  const taken = providers.flatMap(({ id, aliases }) => [id, ...aliases]);
  const { providers: further, mistakes } = readConfigFile(path, "given", taken);
  if (mistakes.length > 0) throw new TypeError(mistakes.map(describeMistake).join("\n"));
  return [...providers, ...further];
}

function withBinaries(providers: readonly Provider[], binaries: Readonly<Record<string, string>>): readonly Provider[] {
  return providers.map((provider) => {
    const path = binaries[provider.id];
    return path === undefined ? provider : { ...provider, binary: { names: [path] } };
  });
}
