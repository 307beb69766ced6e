import { readFileSync } from "node:fs";
import { join } from "node:path";
import { recordedFormat } from "./recorded-format.ts";
import type { Recording } from "./replay.ts";

/** What is expected of one turn of a recorded case; fixtures/README.md describes the file. */
export type ExpectedRun = {
  readonly result: {
    readonly text: string;
    readonly sessionId: string | null;
    readonly failure: { readonly category: string; readonly code: string } | null;
  };
};

/** A recorded run of a real CLI and what is known to have happened in it. */
export type RecordedCase = { readonly recording: Recording; readonly expected: { readonly runs: readonly ExpectedRun[] } };

type CaseFile = {
  readonly cli: string;
  readonly argv: readonly string[];
  readonly exitCode: number | null;
  readonly signal?: string | null;
};

/** Reads a fixture folder. */
export function readRecordedCase(folder: string): RecordedCase {
  const about = JSON.parse(readFileSync(join(folder, "case.json"), "utf8")) as CaseFile;
  const expected = JSON.parse(readFileSync(join(folder, "expected.json"), "utf8")) as RecordedCase["expected"];
  const recording = {
    format: recordedFormat(about.cli, about.argv),
    stdout: readFileSync(join(folder, "stdout")),
    stderr: readFileSync(join(folder, "stderr"), "utf8"),
    ...(about.exitCode !== null && { exitCode: about.exitCode }),
    ...(typeof about.signal === "string" && { signal: about.signal }),
  };
  return { recording, expected };
}
