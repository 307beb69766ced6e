import type { Recording } from "../../../src/replay/replay.ts";
import { readKey, readRawValues } from "./declared-answers/raw-values.ts";

/**
 * The answer of each run as Claude's own `result` lines declare it, empty for a run that failed; text output declares none. A `result`
 * line while background work is open does not end its run: the next one replaces it.
 */
export function readDeclaredAnswers(recording: Recording): readonly string[] {
  const answers: string[] = [];
  const isWorkOpen = watchBackgroundWork();
  let isRunOpen = false;
  for (const value of readRawValues(recording)) {
    const hasOpenWork = isWorkOpen(value);
    if (readKey(value, "type") !== "result") continue;
    if (isRunOpen) answers.pop();
    const answer = readKey(value, "is_error") === false ? readKey(value, "result") : "";
    answers.push(typeof answer === "string" ? answer : "");
    isRunOpen = hasOpenWork;
  }
  return answers;
}

/** Takes the raw lines one after another and returns after each whether Claude has background work. */
function watchBackgroundWork(): (value: unknown) => boolean {
  const started = new Set<unknown>();
  let listed: readonly unknown[] = [];
  return (value) => {
    const subtype = readKey(value, "type") === "system" ? readKey(value, "subtype") : undefined;
    const tasks = readKey(value, "tasks");
    if (subtype === "background_tasks_changed" && Array.isArray(tasks)) listed = tasks;
    if (subtype === "task_started" && readKey(value, "is_backgrounded") === true) started.add(readKey(value, "task_id"));
    if (subtype === "task_notification") started.delete(readKey(value, "task_id"));
    return listed.length > 0 || started.size > 0;
  };
}

/** The last message of each turn that Codex's own lines declare complete, empty for a failed turn; text output declares none. */
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
 * The answers that Qwen's own `result` lines declare. It declares an API error as an answer, alone or after earlier text:
 * such a turn has failed.
 */
export function readDeclaredQwenAnswers(recording: Recording): readonly string[] {
  const isError = /\[API Error: .*\](?:\n(?:Possible quota limitations|Please wait and try again later).*)?$/s;
  return readDeclaredAnswers(recording).map((answer) => (isError.test(answer) ? "" : answer));
}
