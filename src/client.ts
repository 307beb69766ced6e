import { Guardian } from "./process/guardian.ts";
import { builtinProviders } from "./providers/index.ts";
import { DEFAULT_LINE_BYTES, DEFAULT_SPILL_BYTES } from "./run/defaults.ts";
import { locate } from "./run/locate.ts";
import { type ActiveCall, createRunner, planCall, type RunHost } from "./run/runner.ts";
import type { Failure } from "./spec/failure.ts";
import type { LaunchPlan } from "./spec/launch-plan.ts";
import type { Provider } from "./spec/provider.ts";
import type { RunRequest, Target } from "./spec/request.ts";
import type { RunContext, RunStream } from "./spec/stream.ts";

/** What a client may be given; every part has a default. */
export type ClientOptions = {
  /** Which providers exist; the built-in ones by default. */
  readonly providers?: readonly Provider[];
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
  plan(target: string | Target, request: RunRequest): { readonly plan: LaunchPlan } | { readonly failure: Failure };
  /** Where the program of a provider is, if it can be found. */
  locate(provider: string): string | undefined;
  /** Ends all runs and waits until everything they caused is gone. A script that never calls it exits all the same. */
  close(): Promise<void>;
};

/** Makes a client; starts nothing before its first run. */
export function createClient(options: ClientOptions = {}): Client {
  const providers = withBinaries(options.providers ?? builtinProviders, options.binaries ?? {});
  const guardian = new Guardian();
  const active = new Set<ActiveCall>();
  let runs = 0;
  const host: RunHost = {
    env: options.env ?? process.env,
    guardian: options.guardian === false ? undefined : guardian,
    limits: {
      lineBytes: options.limits?.lineBytes ?? DEFAULT_LINE_BYTES,
      spillBytes: options.limits?.spillBytes ?? DEFAULT_SPILL_BYTES,
    },
    providerIds: providers.map((provider) => provider.id),
    findProvider: (id) => providers.find((provider) => provider.id === id || provider.aliases.includes(id)),
    nextRunId: () => `${guardian.hostId}.${++runs}`,
    track: (call) => {
      active.add(call);
      void call.gone.then(() => active.delete(call));
    },
  };
  const runner = createRunner(host);
  const close = async (): Promise<void> => {
    await endAll(active);
    await guardian.close();
  };
  return {
    providers,
    run: (target, request, context = {}) => runner([readTarget(target)], readRequest(request), context),
    plan(target, request) {
      const plan = planCall(host, readTarget(target), readRequest(request), {});
      return "command" in plan ? { plan } : { failure: plan };
    },
    locate(id) {
      const provider = host.findProvider(id);
      const found = provider === undefined ? undefined : locate(provider, host.env);
      return found !== undefined && "command" in found ? found.command : undefined;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Keeps this process alive until all children are gone; each of them is bounded in time. */
async function endAll(active: ReadonlySet<ActiveCall>): Promise<void> {
  const keepAlive = setInterval(() => {}, 1000);
  for (const call of active) call.end();
  await Promise.all([...active].map((call) => call.gone));
  clearInterval(keepAlive);
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
  const slash = target.indexOf("/");
  return slash === -1 ? { provider: target } : { provider: target.slice(0, slash), model: target.slice(slash + 1) };
}

function readRequest(request: RunRequest): RunRequest {
  if (typeof request !== "object" || request === null) throw new TypeError("A request is an object with a prompt.");
  if (typeof request.prompt !== "string") throw new TypeError("request.prompt must be a string.");
  if (request.system !== undefined && typeof request.system !== "string") throw new TypeError("request.system must be a string.");
  return request;
}
