import { describeMistake, readConfigFile } from "./config/read-config-file.ts";
import { createHealth } from "./health/create-health.ts";
import { useGuardian } from "./process/guardian.ts";
import { builtinProviders } from "./providers/index.ts";
import { DEFAULT_LINE_BYTES, DEFAULT_SPILL_BYTES } from "./run/defaults.ts";
import { locate } from "./run/locate.ts";
import { readRequest } from "./run/read-request.ts";
import { type ActiveProcess, createRunner, findProvider, planCall, type RunHost } from "./run/runner.ts";
import type { Spill } from "./run/spill.ts";
import type { Failure } from "./spec/failure.ts";
import type { EnvironmentOptions, EnvironmentReport, HealthOptions, HealthReport } from "./spec/health.ts";
import type { LaunchPlan } from "./spec/launch-plan.ts";
import type { Provider } from "./spec/provider.ts";
import type { RunRequest, Target } from "./spec/request.ts";
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
};

/** Runs requests on CLIs. */
export type Client = AsyncDisposable & {
  readonly providers: readonly Provider[];
  /** Starts a run at once; a target is a provider's id, `id/model`, or an object. */
  run(target: string | Target, request: RunRequest, context?: RunContext): RunStream;
  /** What `run` would start, without starting it. */
  plan(
    target: string | Target,
    request: RunRequest,
    context?: RunContext,
  ): { readonly plan: LaunchPlan } | { readonly failure: Failure };
  /** Where the program of a provider is, if it can be found. */
  locate(provider: string): string | undefined;
  /** Whether the CLI can be started here; starts it for its version only. Never rejects. */
  validateEnvironment(target: string | Target, options?: EnvironmentOptions): Promise<EnvironmentReport>;
  /** Whether the CLI is there, in its right version and logged in; on request also whether it answers. Never rejects. */
  check(target: string | Target, options?: HealthOptions): Promise<HealthReport>;
  /**
   * Ends all runs and waits until everything they caused is gone; runs asked for afterwards are cancelled. A script that never
   * calls it exits all the same.
   */
  close(): Promise<void>;
};

/** Makes a client; starts nothing before its first run. */
export function createClient(options: ClientOptions = {}): Client {
  const providers = withBinaries(withConfig(options.providers ?? builtinProviders, options.config), options.binaries ?? {});
  const { guardian, leave } = useGuardian();
  const active = new Set<ActiveProcess>();
  const closing = new AbortController();
  const host: RunHost = {
    env: options.env ?? process.env,
    guardian: options.guardian === false ? undefined : guardian,
    limits: {
      lineBytes: options.limits?.lineBytes ?? DEFAULT_LINE_BYTES,
      spillBytes: options.limits?.spillBytes ?? DEFAULT_SPILL_BYTES,
    },
    spills: new Set<Spill>(),
    providers,
    closing: closing.signal,
    nextRunId: () => guardian.nextRunId(),
    track: (process) => {
      active.add(process);
      void process.gone.then(() => active.delete(process));
    },
  };
  const runner = createRunner(host);
  const health = createHealth(host, runner);
  const close = async (): Promise<void> => {
    closing.abort();
    await endAll(active);
    for (const spill of host.spills) spill.close();
    await leave();
  };
  return {
    providers,
    run: (target, request, context = {}) => runner([readTarget(target)], readRequest(request), context),
    plan(target, request, context = {}) {
      const plan = planCall(host, readTarget(target), readRequest(request), context);
      return "command" in plan ? { plan } : { failure: plan };
    },
    locate: (id) => commandOf(host, id),
    validateEnvironment: (target, about = {}) => health.validateEnvironment(readTarget(target), about),
    check: (target, about = {}) => health.check(readTarget(target), about),
    close,
    [Symbol.asyncDispose]: close,
  };
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

function readTarget(target: string | Target): Target {
  if (typeof target === "object" && target !== null && typeof target.provider === "string") return target;
  if (typeof target !== "string" || target === "")
    throw new TypeError("A target is a provider's id, id/model, or an object with a provider.");
  const [provider = "", ...model] = target.split("/");
  return model.join("/") === "" ? { provider } : { provider, model: model.join("/") };
}
