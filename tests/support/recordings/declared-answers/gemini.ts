import type { Recording } from "../../../../src/replay/replay.ts";
import { joinTexts, readKey, readRawValues } from "./raw-values.ts";

/** Gemini's text after its last tool call in a turn with the status success, empty otherwise; in json its `response`. */
export function readDeclaredGeminiAnswers(recording: Recording): readonly string[] {
  const values = readRawValues(recording);
  if (recording.format === "json") {
    return values.map((value) => (readKey(value, "error") === undefined ? joinTexts([value], "response") : ""));
  }
  const end = values.findIndex((value) => readKey(value, "type") === "result");
  if (end === -1) return [];
  const lastTool = values.findLastIndex((value) => readKey(value, "type") === "tool_use");
  const said = values.slice(lastTool + 1, end).filter((value) => readKey(value, "role") === "assistant");
  return [readKey(values[end], "status") === "success" ? joinTexts(said, "content") : ""];
}
