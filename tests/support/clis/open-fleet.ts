import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { type Client, type ClientOptions, createClient, type PolicyOptions, type TargetChoice } from "../../../src/index.ts";
import type { Provider } from "../../../src/spec/provider/provider.ts";
import type { RunRequest } from "../../../src/spec/request.ts";
import type { RunResult } from "../../../src/spec/result.ts";
import type { RunContext, RunStream } from "../../../src/spec/stream.ts";
import type { RunEvent } from "../../../src/spec/wire/events.ts";
import { processesOfRun, processesWith, untilGone } from "../processes/process-scan.ts";
import { openTestScope, type TestScope } from "../test-scope.ts";
import { type Play, playedCli, type Told } from "./played-cli.ts";
import { type FinishedRun, finishRun } from "./program-run.ts";
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

function toProvider(id: string, plays: readonly Play[], scope: TestScope, { changes = {} }: FleetOptions): Provider {
  const folder = join(scope.directory, id);
  writePlays(folder, plays);
  const env = { ...playedCli.env, set: { PLAY_FOLDER: folder, PLAY_SCOPE: scope.directory } };
  return { ...playedCli, id, label: `CLI ${id}`, env, ...changes[id] };
}

function toRequest(request: Partial<RunRequest> = {}): RunRequest {
  const { messages, prompt = "Say something.", ...rest } = request;
  return messages === undefined ? { ...rest, prompt } : { ...rest, messages };
}

/** Checks the rules for the attempts of any run. */
export function checkAttempts(events: readonly RunEvent[]): void {
  let attempt = 0;
  let announced = false;
  const shown = new Set<string>();
  const gone = new Set<string>();
  for (const event of events) {
    if (event.type === "attempt-start") {
      attempt += 1;
      expect(event.attempt).toBe(attempt);
      expect(attempt === 1 || announced, "an attempt that nothing announced").toBe(true);
      expect([...shown], "messages of an attempt that was given up").toEqual([]);
      announced = false;
    }
    if (event.type === "retry") expect(event.attempt).toBe(attempt);
    if (event.type === "retry" || event.type === "fallback") announced = true;
    if (event.type === "warning" && event.code === "object-corrected") announced = true;
    if (event.type === "text-reset") {
      expect(shown.delete(event.messageId), "a message that was never shown is reset").toBe(true);
      gone.add(event.messageId);
    }
    if (event.type === "text-delta" || event.type === "reasoning-delta") {
      expect(gone, "an id that was reset is used again").not.toContain(event.messageId);
      shown.add(event.messageId);
    }
  }
  const times = events.map(({ atMs }) => atMs);
  expect(times).toEqual(times.toSorted((left, right) => left - right));
}
