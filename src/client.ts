import { setMaxListeners } from "node:events";
import { builtinProviders } from "./clis/index.ts";
import { type ClientNames, collectNames } from "./config/collect-names.ts";
import type { ConfigEntry } from "./config/to-provider.ts";
import { createHealth } from "./health/create-health.ts";
import { explainUnknownOption } from "./health/probe-version.ts";
import { locate } from "./launch/find-cli.ts";
import { KnownVersions } from "./launch/known-versions.ts";
import { createPolicies, readPolicyOptions, readWarmOptions } from "./policy/policies.ts";
import { QuotaMemory } from "./policy/quota-memory.ts";
import { type Guardian, useGuardian } from "./process/guardian/guardian.ts";
import { DEFAULT_LINE_BYTES, DEFAULT_SPILL_BYTES, DEFAULT_WARM } from "./request/defaults.ts";
import { checkClientOptions } from "./request/settle.ts";
import {
  type Aliases,
  findProvider,
  mapModels,
  type Names,
  providerIdOf,
  type ResolvedTargets,
  resolveTargets,
  targetsOf,
  wordsOf,
} from "./request/targets.ts";
import type { Spill } from "./run/batch-queue.ts";
import { KnownTotals } from "./run/known-totals.ts";
import { keepListener } from "./run/observe-run.ts";
import { type ActiveProcess, closeHost, type RunHost } from "./run/open-run.ts";
import { conductRuns } from "./run/run.ts";
import { createListener, type ListenOptions } from "./run/run-log.ts";
import { createSessions } from "./sessions/create-sessions.ts";
import type { SessionHost } from "./sessions/session.ts";
import type { FallbackOptions, PolicyOptions, SpentQuota, WarmOptions, WarmProcess } from "./spec/client-options.ts";
import type { Failure } from "./spec/failure/failure.ts";
import type { EnvironmentOptions, EnvironmentReport, HealthOptions, HealthReport, ModelReport } from "./spec/health.ts";
import type { JsonValue } from "./spec/json.ts";
import type { PlannedProcess } from "./spec/provider/cli-data.ts";
import type { Provider } from "./spec/provider/provider.ts";
import type { RunInput, TargetChoice, Targets } from "./spec/request.ts";
import type { SessionMethods } from "./spec/session.ts";
import type { RunContext, RunStream } from "./spec/stream.ts";
import { Keeper } from "./warm/keeper.ts";

/** The options of a client; all have defaults. */
export type ClientOptions = ListenOptions & {
  /** The providers; the built-in ones by default. An object with the fields of an entry in a configuration file is one too. */
  readonly providers?: readonly (Provider | ConfigEntry)[];
  /** The path of a configuration file with further providers; none is searched for. An invalid file throws a TypeError. */
  readonly config?: string | false;
  /** Your own names for chains of targets, such as `{ best: "claude/opus,codex" }`; they win over those of the configuration file. */
  readonly aliases?: Aliases;
  /** The environment of the CLIs; that of this process by default. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Paths of programs by provider id; they replace the search on PATH. */
  readonly binaries?: Readonly<Record<string, string>>;
  /** Whether a guardian ends the CLIs when this process dies; true by default. */
  readonly guardian?: boolean;
  /** The processes that are kept warm for later runs, or false for none; docs/warm.md has the rules. Without a guardian none are kept. */
  readonly warm?: WarmOptions | false;
  readonly limits?: { readonly lineBytes?: number; readonly spillBytes?: number };
  /** The policies; see docs/policies.md for the defaults. */
  readonly policies?: PolicyOptions | false;
  /** The wall clock for quotas and cooldowns, in milliseconds since 1970. */
  readonly now?: () => number;
};

const OPTIONS: Readonly<Record<keyof ClientOptions, true>> = {
  ...({ providers: true, config: true, aliases: true, env: true, binaries: true, guardian: true } as const),
  ...({ warm: true, limits: true, policies: true, now: true, onRun: true, log: true } as const),
};

/** Runs requests on CLIs. */
export type Client = SessionMethods & {
  readonly providers: readonly Provider[];
  /** The names for chains of targets: those of the options and of the configuration file. */
  readonly aliases: Aliases;
  /**
   * Starts a run at once. It tries the targets in order until one answers. If `outputSchema` is a schema of a library, its
   * validation makes `object` of the result, and its type is that of the schema's output.
   */
  run<Output = JsonValue>(
    targets: TargetChoice | readonly TargetChoice[],
    request: RunInput<Output>,
    context?: RunContext,
  ): RunStream<Output>;
  /** Returns the plan of the process that `run` would use now, without starting it and without the values of secrets (docs/warm.md). */
  plan(
    target: TargetChoice,
    request: RunInput,
    context?: RunContext,
  ): { readonly plan: PlannedProcess } | { readonly failure: Failure };
  /**
   * Returns the targets that a name means, or the failure of a name that means none. A name is a provider's id, `id/model`, a vendor's own name of a
   * model, an alias, or several of these with commas; all methods and doors read names in this way.
   */
  resolve(targets: TargetChoice | readonly TargetChoice[]): { readonly targets: Targets } | { readonly failure: Failure };
  /** Returns the path of a provider's program, if it is found. */
  locate(provider: string): string | undefined;
  /** Checks whether the CLI can be started; runs only its `--version`. Never rejects. */
  validateEnvironment(target: TargetChoice, options?: EnvironmentOptions): Promise<EnvironmentReport>;
  /** Checks the program, the version and the login of a CLI, and with `deep` whether it answers. Never rejects. */
  check(target: TargetChoice, options?: HealthOptions): Promise<HealthReport>;
  /** Lists the models of a CLI: those that it lists without a model request, or those that Coxswain knows. Never rejects. */
  listModels(target: TargetChoice, options?: EnvironmentOptions): Promise<ModelReport>;
  /** Lists the processes that are kept warm for later runs. */
  warmProcesses(): readonly WarmProcess[];
  /** Returns the used-up quotas in the quota memory. */
  spentQuotas(): readonly SpentQuota[];
  /** Removes the used-up quotas of one provider or of all from the quota memory, and returns them. */
  forgetQuotas(provider?: string): readonly SpentQuota[];
  /**
   * Ends all runs and waits until all their processes have ended; later runs are cancelled at once. A script that never calls it
   * still exits.
   */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** Creates a client; it starts no process before its first run. */
export function createClient(options: ClientOptions = {}): Client {
  const { policies, providers, aliases, onRun } = readOptions(options);
  const { guardian, leave } = useGuardian();
  const active = new Set<ActiveProcess>();
  const closing = new AbortController();
  const host: RunHost = {
    ...toHost(options, guardian, active, closing.signal),
    providers,
    onRun,
    explainUnknownOption: (failure, provider) => explainUnknownOption(failure, provider, host),
  };
  const now = options.now ?? Date.now;
  const memory = new QuotaMemory(host.env);
  const runs = conductRuns(host, createPolicies({ env: host.env, now }, memory, policies));
  const { resolve, toAsk } = createResolvers(host, aliases, options);
  const health = createHealth(host, (target, request) => runs.startCheck(toAsk(target), request));
  const open: SessionHost["open"] = (targets, input, context, session) => runs.startTurn(toAsk(targets), input, context, session);
  const endProcesses: SessionHost["endProcesses"] = (session) => host.keeper?.endSession(session);
  const close = async (): Promise<void> => {
    closing.abort();
    await closeHost(host, active);
    await leave();
  };
  return keepListener<Client>(onRun, {
    ...createSessions({ env: host.env, providers, now, totals: host.totals, resolve, toAsk, open, endProcesses }),
    providers,
    aliases,
    run: (targets, request, context = {}) => runs.start(toAsk(targets), request, context) as RunStream<never>,
    plan: (target, request, context = {}) => {
      const plan = runs.plan(toAsk(target), request, context);
      return "command" in plan ? { plan } : { failure: plan };
    },
    resolve: (choice) => tellTargets(resolve(choice)),
    locate: (id) => commandOf(host, id),
    validateEnvironment: (choice, about = {}) => health.validateEnvironment({ choice, found: resolve(choice) }, about),
    check: (choice, about = {}) => health.check({ choice, found: resolve(choice) }, about),
    listModels: (choice, about = {}) => health.listModels({ choice, found: resolve(choice) }, about),
    warmProcesses: () => host.keeper?.processes.list() ?? [],
    spentQuotas: () => memory.list(now()),
    forgetQuotas: (name) => memory.forgetAll(now(), name === undefined ? undefined : providerIdOf(host, name)),
    close,
    [Symbol.asyncDispose]: close,
  });
}

/** Throws for a mistake in the options, before anything is opened. */
function readOptions(
  options: ClientOptions,
): Pick<RunHost, "onRun"> & ClientNames & { readonly policies: PolicyOptions | false } {
  checkClientOptions(options, OPTIONS);
  const policies = readPolicyOptions(options.policies ?? {});
  const names = collectNames({ ...options, providers: options.providers ?? builtinProviders });
  return { policies, ...names, onRun: createListener(options, { env: options.env ?? process.env, ...names }) };
}

function toHost(
  options: ClientOptions,
  guardian: Guardian,
  active: Set<ActiveProcess>,
  closing: AbortSignal,
): Omit<RunHost, "providers" | "explainUnknownOption"> {
  // Every waiting run adds a listener, so Node's warning about many listeners is switched off.
  setMaxListeners(0, closing);
  const given = readWarmOptions(options.warm ?? {});
  const keepsProcesses = given !== false && options.guardian !== false;
  return {
    env: options.env ?? process.env,
    guardian: options.guardian === false ? undefined : guardian,
    limits: {
      lineBytes: options.limits?.lineBytes ?? DEFAULT_LINE_BYTES,
      spillBytes: options.limits?.spillBytes ?? DEFAULT_SPILL_BYTES,
    },
    spills: new Set<Spill>(),
    totals: new KnownTotals(),
    versions: new KnownVersions(options.env ?? process.env),
    closing,
    keeper: keepsProcesses ? new Keeper({ ...DEFAULT_WARM, ...given }) : undefined,
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

function tellTargets(found: ResolvedTargets | Failure): ReturnType<Client["resolve"]> {
  return "code" in found ? { failure: found } : { targets: targetsOf(found) };
}

/** `resolve` finds the targets of a name, `toAsk` those of a run: the fallback may have other names for their models. */
function createResolvers(host: RunHost, aliases: Aliases, options: ClientOptions): Pick<SessionHost, "resolve" | "toAsk"> {
  const isInstalled = (provider: Provider): boolean => "command" in locate(provider, host.env);
  const names: Names = { providers: host.providers, aliases, isInstalled };
  return {
    resolve: (choice) => resolveTargets(choice, names),
    toAsk: (choice) => {
      const targets = resolveTargets(choice, names);
      return "code" in targets ? { failure: targets, asked: wordsOf(choice) } : mapModels(targets, names, fallbackOf(options));
    },
  };
}

function commandOf(host: RunHost, id: string): string | undefined {
  const provider = findProvider(host, id);
  const found = provider === undefined ? undefined : locate(provider, host.env);
  return found !== undefined && "command" in found ? found.command : undefined;
}
