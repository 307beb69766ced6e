import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Recording } from "../run/replay.ts";
import type { JsonObject } from "../spec/json.ts";
import type { OutputFormat } from "../spec/wire.ts";

/** What one turn of a recorded case must give; `events` only where all of them were written down. */
export type ExpectedRun = { readonly events?: readonly JsonObject[]; readonly result: JsonObject };

/** What a recorded case must give; fixtures/README.md describes the file. */
export type ExpectedCase = {
  /** What the CLI was told to print, where that is not the provider's default. */
  readonly format?: OutputFormat;
  /** Whether every run lists all its events. */
  readonly complete: boolean;
  readonly runs: readonly ExpectedRun[];
};

/** A recorded run of a real CLI and what is known to have happened in it. */
export type RecordedCase = { readonly recording: Recording; readonly expected: ExpectedCase };

type CaseFile = { readonly exitCode: number | null; readonly signal?: string | null };

/** Reads a fixture folder; throws where it lacks a file. */
export function readRecordedCase(folder: string): RecordedCase {
  const { exitCode, signal } = JSON.parse(readFileSync(join(folder, "case.json"), "utf8")) as CaseFile;
  const expected = JSON.parse(readFileSync(join(folder, "expected.json"), "utf8")) as ExpectedCase;
  const recording = {
    ...(expected.format !== undefined && { format: expected.format }),
    stdout: readFileSync(join(folder, "stdout")),
    stderr: readFileSync(join(folder, "stderr"), "utf8"),
    ...(exitCode !== null && { exitCode }),
    ...(typeof signal === "string" && { signal }),
  };
  return { recording, expected };
}
