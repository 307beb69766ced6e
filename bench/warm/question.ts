import { QUESTION } from "../rivals/contest.ts";
import type { Question } from "../rivals/host-process.ts";

/** The question of all calls, and how Coxswain is to make it. */
export function toQuestion(how: Question["how"] = {}, system: string = QUESTION.system): Question {
  return { ...QUESTION, variant: "pure", system, how };
}
