import { randomUUID } from "node:crypto";
import { expect, onTestFinished } from "vitest";
import { Turn } from "../../src/attempt/turn.ts";
import { locate } from "../../src/launch/find-cli.ts";
import { launchOptions, planLaunch } from "../../src/launch/prepare.ts";
import type { Channel } from "../../src/process/channel/channel.ts";
import { openChannel } from "../../src/process/channel/process-channel.ts";
import { KnownTotals } from "../../src/run/known-totals.ts";
import { openRun, type RunHost } from "../../src/run/open-run.ts";
import type { ResidentTransport } from "../../src/spec/provider/provider.ts";
import type { PromptRequest } from "../../src/spec/request.ts";
import type { RunResult } from "../../src/spec/result.ts";
import type { RunContext } from "../../src/spec/stream.ts";
import type { RunEvent } from "../../src/spec/wire/events.ts";
import type { FakeAnswers } from "../../src/testing/index.ts";
import { processesWith, untilGone } from "../support/processes/process-scan.ts";
import type { CliName, RealCli } from "../support/real-clis/real-cli.ts";
import { findBreaches } from "../support/runs/find-breaches.ts";
import { type OpenRealCli, openRealCli } from "./open-real-cli.ts";

/** A turn of a resident process; its events are valid by docs/events.md. */
export type ResidentTurn = {
  readonly cancel: () => void;
  readonly done: Promise<RunResult>;
  /** The events so far. */
  readonly events: readonly RunEvent[];
};

/** A resident process of a real CLI. */
export type OpenResident = {
  readonly cli: OpenRealCli;
  readonly channel: Channel;
  /** Begins a turn. */
  ask(request: PromptRequest, context?: RunContext): ResidentTurn;
  /** Takes a turn to its end. */
  take(request: PromptRequest, context?: RunContext): Promise<RunResult>;
};

/** What decides which process is started. */
export type ResidentOptions = {
  readonly answers?: FakeAnswers;
  /** The request that the process is started for; another one may be asked if it has the same launch. */
  readonly request?: PromptRequest;
  readonly answersPermissions?: boolean;
  /** The CLI with its default model unless given. */
  readonly target?: string;
  /** A CLI that is prepared already. */
  readonly cli?: OpenRealCli;
};

/** Starts a resident process for one test; after the test neither it nor a process that it started may be left. */
export async function openResident(name: CliName, options: ResidentOptions = {}): Promise<OpenResident> {
  const cli = options.cli ?? (await openRealCli(name, options.answers));
  const { provider, env } = cli;
  const transport = residentOf(cli);
  const [, ...model] = (options.target ?? cli.row.target).split("/");
  const target = { provider: name, ...(model.length > 0 && { model: model.join("/") }) };
  const request = inDirectory(cli, options.request ?? { prompt: "hi" });
  const settings = { answersPermissions: options.answersPermissions === true, env };
  expect(transport.serves(request, launchOptions(provider, target, request, settings))).toBe(true);
  const found = locate(provider, env);
  if (!("command" in found)) throw new Error(found.message);
  const plan = planLaunch(provider, target, request, { ...found, ...settings, transport });
  const run = `resident.${randomUUID()}`;
  const { wire, stopSignal } = transport;
  const { lineBytes } = HOST.limits;
  const channel = openChannel(plan, { run, env, guardian: undefined, stopSignal, wire, lineBytes, isWarm: true });
  if (!("take" in channel)) throw new Error("The program was not started.");
  onTestFinished(async () => {
    channel.end();
    await channel.gone;
    await untilGone(() => processesWith("COXSWAIN_RUN", run));
  });
  channel.prepare(request);
  // As in the pool, the process is prepared for a turn like the last one.
  const ask: OpenResident["ask"] = (asked, context = {}) => {
    const turn = begin(cli, channel, inDirectory(cli, asked), context);
    return { ...turn, done: turn.done.finally(() => channel.prepare(inDirectory(cli, asked))) };
  };
  return { cli, channel, ask, take: (asked, context) => ask(asked, context).done };
}

/** The resident transport of a CLI; throws if it has none. */
export function residentOf({ provider }: RealCli): ResidentTransport {
  const { resident } = provider.transports;
  if (resident === undefined) throw new Error(`${provider.label} has no resident transport`);
  return resident;
}

const HOST: Pick<RunHost, "limits" | "spills" | "totals" | "closing" | "nextRunId"> = {
  limits: { lineBytes: 64_000_000, spillBytes: 64_000_000 },
  spills: new Set(),
  totals: new KnownTotals(),
  closing: new AbortController().signal,
  nextRunId: () => "turn",
};

function begin(cli: RealCli, channel: Channel, request: PromptRequest, given: RunContext): ResidentTurn {
  const events: RunEvent[] = [];
  const stream = openRun(HOST, request, given, (context) => {
    const host = { ...HOST, env: cli.env } as RunHost;
    const turn = new Turn({ host, provider: cli.provider, request, context, idPrefix: "" });
    turn.begin(channel);
    return turn.ended;
  });
  const read = async (): Promise<RunResult> => {
    for await (const event of stream) events.push(event);
    expect(findBreaches(events)).toEqual([]);
    return stream.outcome();
  };
  return { cancel: () => stream.interrupt(), done: read(), events };
}

function inDirectory({ workspace }: RealCli, request: PromptRequest): PromptRequest {
  return request.mode === "agent" ? { cwd: workspace, ...request } : request;
}
