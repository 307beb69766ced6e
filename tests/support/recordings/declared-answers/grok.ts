import type { Recording } from "../../../../src/replay/replay.ts";
import { readDeclaredAnswers } from "../read-declared-answers.ts";
import { joinTexts, readKey, readRawValues } from "./raw-values.ts";

const FAILED_STOPS = ["cancelled", "refusal", "max_turn_requests"];

/** The answer that Grok Build declares: in `result` lines like Claude's, in `end` and `error` lines, or in one document. */
export function readDeclaredGrokAnswers(recording: Recording): readonly string[] {
  const values = readRawValues(recording);
  if (recording.format === "json") return values.map((value) => answerOf(value, joinTexts([value], "text")));
  const end = values.findIndex((value) => /^(?:end|error)$/.test(String(readKey(value, "type"))));
  if (end === -1) return readDeclaredAnswers(recording);
  return [answerOf(values[end], joinTexts(lastMessage(values.slice(0, end)), "data"))];
}

function answerOf(end: unknown, said: string): string {
  const failed = readKey(end, "type") === "error" || FAILED_STOPS.includes(String(readKey(end, "stopReason")).toLowerCase());
  return failed ? "" : said;
}

/** The text lines after the last line that ended a message with text. */
function lastMessage(values: readonly unknown[]): readonly unknown[] {
  const last = values.findLastIndex((value) => readKey(value, "type") === "text");
  const before = values
    .slice(0, Math.max(last, 0))
    .findLastIndex((value) => /^(?:usage|tool_call)$/.test(String(readKey(value, "type"))));
  return values.slice(before + 1, last + 1).filter((value) => readKey(value, "type") === "text");
}
