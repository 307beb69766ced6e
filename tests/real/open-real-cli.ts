import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, vi } from "vitest";
import type { Client } from "../../src/index.ts";
import type { Failure } from "../../src/spec/failure/failure.ts";
import { RunError } from "../../src/spec/failure/run-error.ts";
import type { RunRequest, Target } from "../../src/spec/request.ts";
import type { RunResult } from "../../src/spec/result.ts";
import type { RunContext, RunStream } from "../../src/spec/stream.ts";
import type { RunEnd, RunEvent } from "../../src/spec/wire/events.ts";
import { type FakeAnswers, findRunProcesses } from "../../src/testing/index.ts";
import { type CliName, prepareRealCli, type RealCli } from "../support/real-clis/real-cli.ts";
import { findBreaches } from "../support/runs/find-breaches.ts";

/** A finished run of a real CLI; its events are valid by docs/events.md. */
export type RealRun = {
  readonly runId: string;
  readonly events: readonly RunEvent[];
  readonly end: RunEnd;
  readonly result: RunResult;
  readonly failure: Failure | undefined;
};

/** The options for a run besides those of the CLI. */
export type RealRunOptions = {
  /** The CLI with its default model unless given. */
  readonly target?: string | Target;
  /** A client other than the CLI's own. */
  readonly client?: Client;
  readonly context?: RunContext;
  readonly onEvent?: (event: RunEvent, stream: RunStream) => void;
};

/** A real CLI whose runs are checked. */
export type OpenRealCli = RealCli & { run(request: RunRequest, options?: RealRunOptions): Promise<RealRun> };

/** Opens a real CLI for one test; after the test none of its processes or files may be left. */
export async function openRealCli(name: CliName, answers?: FakeAnswers): Promise<OpenRealCli> {
  const temporary = mkdtempSync(join(tmpdir(), "real-test-"));
  vi.stubEnv("TMPDIR", temporary);
  const cli = await prepareRealCli(name, answers);
  const runIds: string[] = [];
  onTestFinished(async () => {
    await cli[Symbol.asyncDispose]();
    // The guardian removes, after its sweep, files that a process wrote while it was being stopped.
    await vi.waitFor(() => expect(readdirSync(temporary)).toEqual([]), { timeout: 5_000, interval: 50 }).catch(() => {});
    const left = { processes: runIds.flatMap(findRunProcesses), files: readdirSync(temporary) };
    vi.unstubAllEnvs();
    rmSync(temporary, { recursive: true, force: true });
    expect(left).toEqual({ processes: [], files: [] });
  });
  return { ...cli, run: (request, options = {}) => finishRun(cli, request, { target: cli.row.target, ...options }, runIds) };
}

type FinishOptions = RealRunOptions & { readonly target: string | Target };

async function finishRun(cli: RealCli, request: RunRequest, options: FinishOptions, runIds: string[]): Promise<RealRun> {
  const stream = (options.client ?? cli.client).run(options.target, request, options.context);
  const events: RunEvent[] = [];
  for await (const event of stream) {
    events.push(event);
    if (event.type === "run-start") runIds.push(event.runId);
    options.onEvent?.(event, stream);
  }
  const hostCalls = events.flatMap((event) => (event.type === "tool-call" && event.executor === "host" ? [event.id] : []));
  const known = [RESUMED_CODEX, ...hostCalls.map((id) => `tool-call of ${id}, which is unknown`)];
  expect(findBreaches(events).filter((breach) => !known.includes(breach))).toEqual([]);
  const [start, end] = [events[0], events.at(-1)];
  if (start?.type !== "run-start" || end?.type !== "run-end") throw new Error("the run has no start or no end");
  const { runId } = start;
  const outcome = await stream.result().catch((error: unknown) => {
    if (RunError.is(error)) return error;
    throw error;
  });
  if (!RunError.is(outcome)) return { runId, events, end, result: outcome, failure: undefined };
  const { failure, result } = outcome;
  expect(failure).toEqual(end.failure);
  expect(result.text).toBe("");
  return { runId, events, end, result, failure };
}

/** Codex reports only the total of a thread; docs/dialects/codex.md defines when that is known to be of one turn. */
const RESUMED_CODEX = "usage is not of this turn";

/** Resolves when every process of a run has exited by itself, with the files that a CLI writes at its end. */
export async function untilLeft({ runId }: RealRun): Promise<void> {
  await vi.waitFor(() => expect(findRunProcesses(runId)).toEqual([]), { timeout: 10_000, interval: 50 });
}

/** The events of one type, in order. */
export function eventsOf<Type extends RunEvent["type"]>(
  { events }: RealRun,
  type: Type,
): readonly Extract<RunEvent, { type: Type }>[] {
  return events.filter((event): event is Extract<RunEvent, { type: Type }> => event.type === type);
}
