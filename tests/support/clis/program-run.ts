import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { type Client, createClient } from "../../../src/index.ts";
import type { JsonValue } from "../../../src/spec/json.ts";
import type { Provider, Transport } from "../../../src/spec/provider/provider.ts";
import type { RunRequest } from "../../../src/spec/request.ts";
import type { RunContext, RunStream } from "../../../src/spec/stream.ts";
import type { RunEnd, RunEvent } from "../../../src/spec/wire/events.ts";
import { openTestScope } from "../test-scope.ts";
import { programProvider } from "./program-provider.ts";

/** How a program is run; every field has a default. */
export type ProgramOptions = {
  readonly request?: Partial<RunRequest>;
  readonly provider?: Partial<Provider>;
  /** What its transport is to have. */
  readonly spawn?: Partial<Transport>;
  readonly guardian?: boolean;
};

/** A client for one program, and access to the program's files. */
export type ProgramClient = {
  readonly client: Client;
  /** The directory of the test. */
  readonly directory: string;
  start(context?: RunContext): RunStream;
  /** The content of NOTE_FILE, in which programs write notes; undefined when it does not exist. */
  note(): Promise<string | undefined>;
  /** Writes to NOTE_FILE for a program that waits for it. */
  tell(word: string): Promise<void>;
  /** The process that the program left running, from PID_FILE. */
  grandchild(): Promise<number>;
};

/** Creates a client whose only provider is the program; it is closed after the test. */
export function createProgramClient(program: string, options: ProgramOptions = {}): ProgramClient {
  const { request } = options;
  const { directory, env } = openTestScope();
  const providers = [programProvider(program, options.provider, options.spawn)];
  const client = createClient({ policies: false, providers, env, guardian: options.guardian ?? true });
  onTestFinished(() => client.close());
  const files = { NOTE_FILE: join(directory, "note"), PID_FILE: join(directory, "pid") };
  return {
    client,
    directory,
    start: (context) => client.run("bad", { prompt: "Say something.", ...request, env: { ...files, ...request?.env } }, context),
    note: () => readFile(files.NOTE_FILE, "utf8").catch(() => undefined),
    tell: (word) => writeFile(files.NOTE_FILE, word),
    grandchild: async () => Number(await readFile(files.PID_FILE, "utf8")),
  };
}

/** Runs a program to the end of its run. */
export function runProgram(program: string, options: ProgramOptions = {}): Promise<FinishedRun> {
  return finishRun(createProgramClient(program, options).start());
}

/** A finished run. */
export type FinishedRun = {
  readonly runId: string;
  readonly events: readonly RunEvent[];
  readonly end: RunEnd;
  readonly stream: RunStream;
};

/** Reads a stream to its end and checks that it is well formed: one run-start first, one run-end last, numbered in order. */
export async function finishRun(stream: RunStream, onEvent?: (event: RunEvent, runId: string) => void): Promise<FinishedRun> {
  const events: RunEvent[] = [];
  for await (const event of stream) {
    events.push(event);
    if (events[0]?.type === "run-start") onEvent?.(event, events[0].runId);
  }
  const [first, last] = [events[0], events.at(-1)];
  if (first?.type !== "run-start" || last?.type !== "run-end") throw new Error(`malformed run: ${JSON.stringify(events)}`);
  expect(eventsOf(events, "run-start")).toHaveLength(1);
  expect(eventsOf(events, "run-end")).toHaveLength(1);
  expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index));
  return { runId: first.runId, events, end: last, stream };
}

/** The events of one type. */
export function eventsOf<Type extends RunEvent["type"]>(
  events: readonly RunEvent[],
  type: Type,
): readonly Extract<RunEvent, { type: Type }>[] {
  return events.filter((event): event is Extract<RunEvent, { type: Type }> => event.type === type);
}

/** A run that is read in the background of a test. */
export type WatchedRun = {
  /** Resolves with the run's id as soon as the program has reported its session. */
  readonly begun: Promise<string>;
  readonly finished: Promise<FinishedRun>;
};

/** Reads a run in the background. */
export function watchRun(stream: RunStream): WatchedRun {
  const { promise: begun, resolve, reject } = Promise.withResolvers<string>();
  const finished = finishRun(stream, (event, runId) => {
    if (event.type === "session-start") resolve(runId);
  });
  finished.then((run) => reject(new Error(`the run ended too early: ${JSON.stringify(run.events)}`)), reject);
  return { begun, finished };
}

/** The structured values that a run showed as complete and valid. */
export function completeObjects(events: readonly RunEvent[]): readonly JsonValue[] {
  return eventsOf(events, "object-delta").flatMap(({ object, isPartial }) => (isPartial === true ? [] : [object]));
}
