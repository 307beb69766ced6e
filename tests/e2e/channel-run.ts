import { randomUUID } from "node:crypto";
import { onTestFinished } from "vitest";
import { type Channel, openChannel } from "../../src/process/channel.ts";
import { collect } from "../../src/run/collect.ts";
import { EventLog } from "../../src/run/event-log.ts";
import type { RunHost } from "../../src/run/run-host.ts";
import { Turn } from "../../src/run/turn.ts";
import type { RunEvent } from "../../src/spec/events.ts";
import type { ProcessPlan } from "../../src/spec/launch-plan.ts";
import type { Provider } from "../../src/spec/provider.ts";
import type { PromptRequest } from "../../src/spec/request.ts";
import type { RunResult } from "../../src/spec/result.ts";
import type { Wire } from "../../src/spec/wire.ts";
import { processesWith, untilGone } from "./process-scan.ts";
import { openTestScope } from "./test-scope.ts";

/** A turn on a channel, read to its end. */
export type ChannelTurn = { readonly turn: Turn; readonly done: Promise<RunResult> };

/** A channel of one test. */
export type TestChannel = {
  readonly channel: Channel;
  /** Begins a turn. */
  ask(request: PromptRequest): ChannelTurn;
  /** Resolves when no process of the test is left. */
  untilGone(): Promise<void>;
};

/** Opens a warm channel; a test that leaves it open fails. */
export function openTestChannel(provider: Provider, plan: Omit<ProcessPlan, "provider">, wire: Wire): TestChannel {
  const { env } = openTestScope();
  const run = `channel.${randomUUID()}`;
  const options = { run, env, guardian: undefined, stopSignal: "SIGTERM", wire, lineBytes: 1_000_000, isWarm: true } as const;
  const channel = openChannel({ provider: provider.id, ...plan }, options);
  if (!("take" in channel)) throw new Error("The program was not started.");
  onTestFinished(() => channel.end());
  const isLeft = (): Promise<readonly number[]> => processesWith("COXSWAIN_RUN", run);
  return {
    channel,
    ask: (request) => begin(channel, provider, request),
    untilGone: () => channel.gone.then(() => untilGone(isLeft)),
  };
}

function begin(channel: Channel, provider: Provider, request: PromptRequest): ChannelTurn {
  const log = new EventLog(() => performance.now());
  const events: RunEvent[] = [];
  const { promise, resolve } = Promise.withResolvers<RunResult>();
  const flush = (): void => void events.push(...log.take());
  log.stamp({ type: "run-start", runId: "turn" });
  const turn = new Turn({ host: {} as RunHost, provider, request, log, flush, onEnd: () => resolve(collect(events)) });
  turn.begin(channel);
  return { turn, done: promise };
}
