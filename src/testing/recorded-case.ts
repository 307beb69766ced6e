import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Recording } from "../run/replay.ts";
import type { JsonObject } from "../spec/json.ts";
import type { OutputFormat } from "../spec/wire.ts";

/** The expected result of one turn of a recorded case, and its events if all of them are listed. */
export type ExpectedRun = { readonly events?: readonly JsonObject[]; readonly result: JsonObject };

/** The content of expected.json, which fixtures/README.md describes. */
export type ExpectedCase = {
  /** The output format of the recording, if it is not the provider's default. */
  readonly format?: OutputFormat;
  /** True if every run lists all its events. */
  readonly complete: boolean;
  readonly runs: readonly ExpectedRun[];
};

/** A recorded run of a real CLI and its expected events and results. */
export type RecordedCase = { readonly recording: Recording; readonly expected: ExpectedCase };

type CaseFile = { readonly exitCode: number | null; readonly signal?: string | null };

/** Reads a fixture folder; throws if a file is missing. */
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
