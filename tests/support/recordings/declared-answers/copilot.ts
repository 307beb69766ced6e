import type { Recording } from "../../../../src/replay/replay.ts";
import { joinTexts, readKey, readRawValues } from "./raw-values.ts";

/** The last message before each of Copilot's `result` lines with its continuation, empty if the exit code is not 0. */
export function readDeclaredCopilotAnswers(recording: Recording): readonly string[] {
  const values = readRawValues(recording);
  return values.flatMap((value, index) => {
    if (readKey(value, "type") !== "result") return [];
    const earlier = values.slice(0, index);
    const last = earlier.findLastIndex((line) => readKey(line, "type") === "assistant.message");
    const answer = joinTexts([earlier[last]], "data", "content");
    return [readKey(value, "exitCode") === 0 ? readCutPart(earlier.slice(0, Math.max(last, 0)), earlier[last]) + answer : ""];
  });
}

/** The pieces of messages that were never completed although their turns ended, up to the last completion or retry. */
function readCutPart(lines: readonly unknown[], answer: unknown): string {
  const from = lines.findLastIndex((line) => /^assistant\.(?:message|turn_retry)$/.test(String(readKey(line, "type"))));
  const id = readKey(answer, "data", "messageId");
  const pieces = lines
    .slice(from + 1)
    .filter((line) => readKey(line, "type") === "assistant.message_delta" && readKey(line, "data", "messageId") !== id);
  return joinTexts(pieces, "data", "deltaContent");
}
