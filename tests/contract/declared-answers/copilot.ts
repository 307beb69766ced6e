import type { Recording } from "../../../src/testing/replay.ts";
import { joinTexts, readKey, readRawValues } from "./raw-values.ts";

/** The last message before each of Copilot's `result` lines, empty where its exit code is not 0. */
export function readDeclaredCopilotAnswers(recording: Recording): readonly string[] {
  const values = readRawValues(recording);
  return values.flatMap((value, index) => {
    if (readKey(value, "type") !== "result") return [];
    const last = values.slice(0, index).findLast((earlier) => readKey(earlier, "type") === "assistant.message");
    return [readKey(value, "exitCode") === 0 ? joinTexts([last], "data", "content") : ""];
  });
}
