import type { Recording } from "../../src/testing/replay.ts";
import { readKey, readRawValues } from "./declared-answers/raw-values.ts";

/** The answer of each turn as Claude's own `result` lines declare it, empty for a turn that failed; text output declares none. */
export function readDeclaredAnswers(recording: Recording): readonly string[] {
  return readRawValues(recording).flatMap((value) => {
    if (readKey(value, "type") !== "result") return [];
    const answer = readKey(value, "is_error") === false ? readKey(value, "result") : "";
    return typeof answer === "string" ? [answer] : [""];
  });
}

/** The last message of each turn that Codex's own lines call complete, empty for a turn that failed; text output declares none. */
export function readDeclaredCodexAnswers(recording: Recording): readonly string[] {
  const values = readRawValues(recording);
  const ends = values.flatMap((value, index) =>
    /^turn\.(completed|failed)$/.test(String(readKey(value, "type"))) ? [index] : [],
  );
  return ends.map((end, turn) => {
    if (readKey(values[end], "type") === "turn.failed") return "";
    const messages = values
      .slice(turn === 0 ? 0 : ends[turn - 1], end)
      .filter((value) => readKey(value, "type") === "item.completed")
      .map((value) => readKey(value, "item"))
      .filter((item) => readKey(item, "type") === "agent_message");
    const answer = readKey(messages.at(-1), "text");
    return typeof answer === "string" ? answer : "";
  });
}

/**
 * The answers as Qwen's own `result` lines declare them. It declares an error of the API as an answer, alone or behind what had
 * been said: such a turn failed.
 */
export function readDeclaredQwenAnswers(recording: Recording): readonly string[] {
  const isError = /\[API Error: .*\](?:\n(?:Possible quota limitations|Please wait and try again later).*)?$/s;
  return readDeclaredAnswers(recording).map((answer) => (isError.test(answer) ? "" : answer));
}
