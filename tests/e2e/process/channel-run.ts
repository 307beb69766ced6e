import { randomUUID } from "node:crypto";
import { onTestFinished } from "vitest";
import { Turn } from "../../../src/attempt/turn.ts";
import type { Channel } from "../../../src/process/channel/channel.ts";
import { openChannel } from "../../../src/process/channel/process-channel.ts";
import { KnownTotals } from "../../../src/run/known-totals.ts";
import { openRun, type RunHost } from "../../../src/run/open-run.ts";
import type { ProcessPlan } from "../../../src/spec/provider/cli-data.ts";
import type { Provider } from "../../../src/spec/provider/provider.ts";
import type { PromptRequest } from "../../../src/spec/request.ts";
import type { RunResult } from "../../../src/spec/result.ts";
import type { Wire } from "../../../src/spec/wire/wire.ts";
import { processesWith, untilGone } from "../../support/processes/process-scan.ts";
import { openTestScope } from "../../support/test-scope.ts";

/** A turn on a channel as a run of its own. */
export type ChannelTurn = { readonly cancel: () => void; readonly done: Promise<RunResult> };

const HOST: Pick<RunHost, "limits" | "spills" | "totals" | "closing" | "nextRunId"> = {
  limits: { lineBytes: 1_000_000, spillBytes: 1_000_000 },
  spills: new Set(),
  totals: new KnownTotals(),
  closing: new AbortController().signal,
  nextRunId: () => "turn",
};

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
  const stream = openRun(HOST, request, {}, (context) => {
    const turn = new Turn({ host: HOST as RunHost, provider, request, context, idPrefix: "" });
    turn.begin(channel);
    return turn.ended;
  });
  return { cancel: () => stream.interrupt(), done: stream.outcome() };
}
