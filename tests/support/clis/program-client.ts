import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Client, createClient } from "../../../src/index.ts";
import type { Provider, Transport } from "../../../src/spec/provider/provider.ts";
import type { RunRequest } from "../../../src/spec/request.ts";
import type { RunContext, RunStream } from "../../../src/spec/stream.ts";
import { type FinishedRun, finishRun } from "../runs/read-run.ts";
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
