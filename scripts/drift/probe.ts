import type { RunRequest } from "../../src/spec/request.ts";
import type { RunResult } from "../../src/spec/result.ts";
import type { FakeAnswers } from "../../src/testing/index.ts";
import type { RealCli } from "../../tests/real/real-cli.ts";

/** One run of a probe. */
export type ProbeRun = {
  readonly request: (cli: RealCli, before: RunResult | undefined) => RunRequest;
  /** The run is aborted while its tool runs. */
  readonly isAborted?: boolean;
};

/** Something that is done with two versions of a CLI to see what differs. */
export type Probe = {
  readonly name: string;
  /** What the model is made to say. */
  readonly answers: FakeAnswers;
  /** One after the other, with the same home. */
  readonly runs: readonly ProbeRun[];
  readonly prepare?: (cli: RealCli) => void;
  /** The model's API is not there. */
  readonly isUnreachable?: boolean;
};

/** What an observed run of a CLI did; everything that differs by chance is still in it. */
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

/** What the product said of a run. */
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

/** What one version of a CLI did in a probe. */
export type Observation = {
  readonly probe: string;
  readonly runs: readonly RunObservation[];
  readonly requests: readonly RequestObservation[];
  /** Processes that were still there a second after the last run. */
  readonly processesLeft: number;
  readonly filesLeft: readonly string[];
  /** Paths of this run, which differ by chance. */
  readonly root: string;
};

/** What both versions did in one probe. */
export type ProbePair = { readonly from: Observation; readonly to: Observation };
