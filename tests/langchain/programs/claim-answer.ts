import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ModelAnswer } from "../chat-model-suite/subject.ts";

/** What a program that is started by a scripted provider finds in its environment. */
export type ScriptEnvironment = {
  /** Where each start leaves a file with what it was told, named by its number. */
  readonly SCRIPT_DIRECTORY: string;
  /** The rehearsal CLI, for the program that plays it. */
  readonly SCRIPT_REHEARSAL: string;
  readonly SCRIPT_WORDS: string;
  /** JSON of the answers, one for each start; the last repeats. */
  readonly SCRIPT_ANSWERS: string;
};

/** Notes this start, and says which answer is its own and which there are. */
export function claimAnswer(): { readonly answer: ModelAnswer; readonly answers: readonly ModelAnswer[] } {
  const answers: readonly ModelAnswer[] = JSON.parse(process.env["SCRIPT_ANSWERS"] ?? "[]");
  for (let start = 0; ; start += 1) {
    if (!noteStart(start)) continue;
    const answer = answers[Math.min(start, answers.length - 1)];
    if (answer === undefined) throw new Error("a script has at least one answer");
    return { answer, answers };
  }
}

/** False when another process has this number. */
function noteStart(start: number): boolean {
  try {
    const file = join(process.env["SCRIPT_DIRECTORY"] ?? "", String(start));
    writeFileSync(file, process.env["SCRIPT_WORDS"] ?? "", { flag: "wx" });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}
