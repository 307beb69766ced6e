import { claude } from "../../src/providers/claude.ts";
import { codex } from "../../src/providers/codex.ts";
import type { Provider } from "../../src/spec/provider.ts";
import type { Recording } from "../../src/testing/replay.ts";
import { readDeclaredAnswers, readDeclaredCodexAnswers } from "./read-declared-answers.ts";
import { type RecordedCase, readRecordedCases } from "./read-recorded-cases.ts";

/** A CLI with recordings, and what is known about it apart from the code under test. */
export type RecordedCli = {
  /** The name of its folder of fixtures. */
  readonly cli: string;
  readonly provider: Provider;
  /** The answers of the turns, read from the raw lines. */
  readonly readAnswers: (recording: Recording) => readonly string[];
  /** Whether it says a complete message again after a cut, so that the first one has to be taken back. */
  readonly repeatsMessages: boolean;
};

/** One recording with its CLI. */
export type RecordedCliCase = RecordedCli & RecordedCase;

/** Every CLI that is judged by recordings. */
export const recordedClis: readonly RecordedCli[] = [
  { cli: "claude", provider: claude, readAnswers: readDeclaredAnswers, repeatsMessages: false },
  { cli: "codex", provider: codex, readAnswers: readDeclaredCodexAnswers, repeatsMessages: true },
];

/** Every recording of every CLI. */
export const recordedCliCases: readonly RecordedCliCase[] = recordedClis.flatMap(toCases);

/** The recordings of one CLI. */
export function toCases(recordedCli: RecordedCli): readonly RecordedCliCase[] {
  return readRecordedCases(recordedCli.cli).map((recordedCase) => ({ ...recordedCli, ...recordedCase }));
}
