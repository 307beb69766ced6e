import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Client, type ClientOptions, createClient, type PolicyOptions, type TargetChoice } from "../../../src/index.ts";
import type { Provider } from "../../../src/spec/provider/provider.ts";
import type { RunRequest } from "../../../src/spec/request.ts";
import type { RunResult } from "../../../src/spec/result.ts";
import type { RunContext, RunStream } from "../../../src/spec/stream.ts";
import { processesOfRun, processesWith, untilGone } from "../processes/process-scan.ts";
import { checkAttempts } from "../runs/check-attempts.ts";
import { type FinishedRun, finishRun } from "../runs/read-run.ts";
import { openTestScope, type TestScope } from "../test-scope.ts";
import { playedCli, type Told } from "./played-cli.ts";
import type { Play } from "./plays.ts";
import { countStarts, readStarts, writePlays } from "./write-plays.ts";

/** The prompt and arguments of one start of a CLI. */
export type SeenStart = { readonly prompt: string; readonly told: Told };

/** How a fleet is opened; everything has a default. */
export type FleetOptions = {
  /** Retries wait 5 ms at first by default. */
  readonly policies?: PolicyOptions | false;
  readonly now?: () => number;
  /** Changes to a provider, by its id. */
  readonly changes?: Readonly<Record<string, Partial<Provider>>>;
  readonly env?: Readonly<Record<string, string>>;
  /** What a start plays that has no play of its own; the last play by default. */
  readonly after?: Play;
};

/** CLIs that play the steps of a test, and a client for them. */
export type Fleet = {
  readonly client: Client;
  readonly providers: readonly Provider[];
  readonly scope: TestScope;
  run(targets: TargetChoice | readonly TargetChoice[], request?: Partial<RunRequest>, context?: RunContext): RunStream;
  /** Reads the run to its end; checks that its events are well formed and that none of its processes is left. */
  finish(targets: TargetChoice | readonly TargetChoice[], request?: Partial<RunRequest>, context?: RunContext): Promise<Finished>;
  /** The number of starts of this CLI. */
  starts(id: string): number;
  /** What its starts received. */
  calls(id: string): readonly SeenStart[];
  /** Sends a word to a start of this CLI that waits for it. */
  tell(id: string, word: string): void;
  /** Another client for the same CLIs and the same state directory. */
  another(options?: Omit<ClientOptions, "providers" | "env">): Client;
  /** Resolves when no CLI of this fleet is running. */
  untilQuiet(): Promise<void>;
};

/** A finished run and its result. */
export type Finished = FinishedRun & { readonly result: RunResult };

/** Opens a CLI for each id; its n-th start plays the n-th play, each later one the last. */
export function openFleet(plays: Readonly<Record<string, readonly Play[]>>, options: FleetOptions = {}): Fleet {
  const scope = openTestScope();
  const providers = Object.keys(plays).map((id) => toProvider(id, plays[id] ?? [], scope, options));
  const env = { ...scope.env, ...options.env };
  const another = (further: Omit<ClientOptions, "providers" | "env"> = {}): Client => {
    const client = createClient({ ...further, providers, env });
    onTestFinished(() => client.close());
    return client;
  };
  const { policies = {}, now } = options;
  const withDelay = policies && { ...policies, retry: policies.retry ?? { firstDelayMs: 5 } };
  const client = another({ policies: withDelay, ...(now && { now }) });
  const untilQuiet = (): Promise<void> => untilGone(() => processesWith("PLAY_SCOPE", scope.directory));
  onTestFinished(async () => {
    await client.close();
    await untilQuiet();
  });
  const run: Fleet["run"] = (targets, request, context) => client.run(targets, toRequest(request), context);
  const calls = (id: string): readonly SeenStart[] => readStarts(join(scope.directory, id)) as readonly SeenStart[];
  return {
    client,
    providers,
    scope,
    run,
    async finish(targets, request, context) {
      const finished = await finishRun(run(targets, request, context));
      checkAttempts(finished.events);
      await untilGone(() => processesOfRun(finished.runId));
      return { ...finished, result: await finished.stream.outcome() };
    },
    starts: (id) => countStarts(join(scope.directory, id)),
    calls,
    tell: (id, word) => writeFileSync(join(scope.directory, id, word), ""),
    another,
    untilQuiet,
  };
}

function toProvider(id: string, plays: readonly Play[], scope: TestScope, { changes = {}, after }: FleetOptions): Provider {
  const folder = join(scope.directory, id);
  writePlays(folder, plays, after);
  const provider = { ...playedCli, id, label: `CLI ${id}`, ...changes[id] };
  const set = { ...provider.env.set, PLAY_FOLDER: folder, PLAY_SCOPE: scope.directory };
  return { ...provider, env: { ...provider.env, set } };
}

function toRequest(request: Partial<RunRequest> = {}): RunRequest {
  const { messages, prompt = "Say something.", ...rest } = request;
  return messages === undefined ? { ...rest, prompt } : { ...rest, messages };
}
