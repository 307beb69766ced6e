import type { Subject } from "./attack-case.ts";
import { mutations } from "./mutation-case.ts";
import { programs } from "./program-case.ts";
import { shapes } from "./shape-case.ts";
import { texts } from "./text-case.ts";

/** All kinds of attack. */
export const SUBJECTS: readonly Subject[] = [shapes, programs, mutations, texts];

/** The subject of a case. */
export function subjectOf(caseName: string): Subject {
  const subject = SUBJECTS.find(({ name }) => caseName.startsWith(`${name}/`));
  if (subject === undefined) throw new Error(`no subject has the case ${caseName}`);
  return subject;
}
