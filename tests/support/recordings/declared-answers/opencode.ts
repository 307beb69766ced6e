import type { Recording } from "../../../../src/replay/replay.ts";
import { joinTexts, readKey, readRawValues } from "./raw-values.ts";

/** The text of OpenCode's last step, unless it ended for a tool; empty if OpenCode printed only an error. */
export function readDeclaredOpencodeAnswers(recording: Recording): readonly string[] {
  const values = readRawValues(recording);
  const types = values.map((value) => readKey(value, "type"));
  if (types.length > 0 && types.every((type) => type === "error")) return [""];
  const last = values.findLast((value) => /^step_(?:start|finish)$/.test(String(readKey(value, "type"))));
  if (readKey(last, "type") !== "step_finish") return [];
  if (/^(?:tool-calls|unknown)$/.test(String(readKey(last, "part", "reason")))) return [];
  const message = readKey(last, "part", "messageID");
  const said = values.filter((value) => readKey(value, "type") === "text" && readKey(value, "part", "messageID") === message);
  return [joinTexts(said, "part", "text")];
}
