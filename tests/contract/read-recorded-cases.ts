import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { JsonObject } from "../../src/spec/json.ts";
import { recordedFormat } from "../../src/testing/recorded-format.ts";
import type { Recording } from "../../src/testing/replay.ts";

/** What one turn of a recording must give; `events` only where all of them were written down. */
export type ExpectedRun = { readonly events?: readonly JsonObject[]; readonly result: JsonObject };

/** What a recording must give; in `result` and its parts only the keys that are there are meant, and null means absent. */
export type Expectation = { readonly complete: boolean; readonly runs: readonly ExpectedRun[] };

/** A recorded run of a real CLI with what is expected of it. */
export type RecordedCase = { readonly name: string; readonly recording: Recording; readonly expected?: Expectation };

type CaseFile = {
  readonly cli: string;
  readonly argv: readonly string[];
  readonly exitCode: number | null;
  readonly signal?: string | null;
};

/** Reads every recording of one CLI; a folder without expectations is still a case. */
export function readRecordedCases(cli: string): readonly RecordedCase[] {
  const root = new URL(`../../fixtures/${cli}/`, import.meta.url);
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => readRecordedCase(entry.name, new URL(`${entry.name}/`, root)));
}

function readRecordedCase(name: string, folder: URL): RecordedCase {
  const caseFile: CaseFile = JSON.parse(readFileSync(new URL("case.json", folder), "utf8"));
  const recording: Recording = {
    format: recordedFormat(caseFile.cli, caseFile.argv),
    stdout: readFileSync(new URL("stdout", folder)),
    stderr: readFileSync(new URL("stderr", folder), "utf8"),
    ...(caseFile.exitCode === null ? {} : { exitCode: caseFile.exitCode }),
    ...(typeof caseFile.signal === "string" && { signal: caseFile.signal }),
  };
  const expectedFile = new URL("expected.json", folder);
  if (!existsSync(expectedFile)) return { name, recording };
  const expected: Expectation = JSON.parse(readFileSync(expectedFile, "utf8"));
  return { name, recording, expected };
}
