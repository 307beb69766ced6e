import type { ModelAnswer } from "../chat-model-suite/subject.ts";
import { claimNumber } from "./claim-number.ts";

/** The environment of a program that a scripted provider starts. */
export type ScriptEnvironment = {
  /** The directory in which each start writes its input to a file named by its number. */
  readonly SCRIPT_DIRECTORY: string;
  /** The path of the rehearsal CLI. */
  readonly SCRIPT_REHEARSAL: string;
  readonly SCRIPT_WORDS: string;
  /** JSON of the answers, one for each start; the last repeats. */
  readonly SCRIPT_ANSWERS: string;
};

/** Records this start; returns its own answer and all answers. */
export function claimAnswer(): { readonly answer: ModelAnswer; readonly answers: readonly ModelAnswer[] } {
  const answers: readonly ModelAnswer[] = JSON.parse(process.env["SCRIPT_ANSWERS"] ?? "[]");
  const start = claimNumber(process.env["SCRIPT_DIRECTORY"] ?? "", process.env["SCRIPT_WORDS"]);
  const answer = answers[Math.min(start, answers.length - 1)];
  if (answer === undefined) throw new Error("a script has at least one answer");
  return { answer, answers };
}
