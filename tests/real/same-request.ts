import { expect } from "vitest";
import type { JsonValue } from "../../src/spec/json.ts";

/** The directory of one process in that of its host. */
export const PROCESS_FOLDER: RegExp = /\/cox-[0-9a-z-]+\/[A-Za-z0-9.-]+\//g;

/** Ids, times, and the paths of private folders differ from process to process. */
const VARIABLE = [
  [/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<id>"],
  [/\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|\+00:00)/g, "<time>"],
  [/coxswain-[A-Za-z0-9]{6}\b/g, "<folder>"],
  [PROCESS_FOLDER, "/<folder>/"],
] as const;

/** Texts of a new process that a resident process does not send: Qwen Code's date. */
const OMITTED = /^<system-reminder>\nThe current date is: /;

/** The request of a resident process is that of a new one, except that it may lack a known note of the CLI. */
export function expectSameRequest(resident: JsonValue, spawned: JsonValue): void {
  expect(comparable(resident)).toEqual(comparable(withoutNotes(spawned)));
}

function comparable(body: JsonValue): unknown {
  const text = VARIABLE.reduce((rest, [pattern, word]) => rest.replaceAll(pattern, word), JSON.stringify(body));
  return JSON.parse(text) as unknown;
}

function withoutNotes(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.filter((entry) => !isNote(entry)).map(withoutNotes);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withoutNotes(part)]));
}

function isNote(entry: JsonValue): boolean {
  return typeof entry === "object" && entry !== null && "text" in entry && OMITTED.test(String(entry["text"]));
}
