import type { RunRequest } from "../../src/spec/request.ts";
import type { RunResult } from "../../src/spec/result.ts";
import type { FakeAnswers } from "../../src/testing/index.ts";
import type { RealCli } from "../../tests/support/real-clis/real-cli.ts";

/** One run of a probe. */
export type ProbeRun = {
  readonly request: (cli: RealCli, before: RunResult | undefined) => RunRequest;
  /** The run is aborted while its tool runs. */
  readonly isAborted?: boolean;
};

/** A scenario that runs with two versions of a CLI to find differences. */
export type Probe = {
  readonly name: string;
  /** The model's answers. */
  readonly answers: FakeAnswers;
  /** The runs, in order, with the same home. */
  readonly runs: readonly ProbeRun[];
  readonly prepare?: (cli: RealCli) => void;
  /** The model's API cannot be reached. */
  readonly isUnreachable?: boolean;
};

/** The observation of one run of a CLI; its variable parts are still in it. */
export type RunObservation = {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly durationMs: number;
  readonly outcome: Outcome;
};

/** The product's result of a run. */
export type Outcome = {
  readonly finish: string;
  readonly failure: string | null;
  readonly message: string;
  readonly text: string;
  readonly toolCalls: readonly string[];
  readonly warnings: readonly string[];
};

/** One request that reached the model. */
export type RequestObservation = {
  readonly bytes: number;
  readonly fields: readonly string[];
  readonly tools: readonly string[];
  readonly roles: readonly string[];
  /** The texts of system, user and tools, in order. */
  readonly texts: readonly string[];
};

/** The observation of one version of a CLI in a probe. */
export type Observation = {
  readonly probe: string;
  readonly runs: readonly RunObservation[];
  readonly requests: readonly RequestObservation[];
  /** Processes that were still running a second after the last run. */
  readonly processesLeft: number;
  readonly filesLeft: readonly string[];
  /** Paths of this run, which vary. */
  readonly root: string;
};

/** The observations of both versions in one probe. */
export type ProbePair = { readonly from: Observation; readonly to: Observation };
