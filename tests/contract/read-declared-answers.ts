import type { Recording } from "../../src/run/replay.ts";
import { readKey, readRawValues } from "./declared-answers/raw-values.ts";

/**
 * The answer of each run as Claude's own `result` lines declare it, empty for a run that failed; text output declares none. A `result`
 * line while work is open in the background does not end its run: the next one takes its place.
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

/** Takes the raw lines one after another and says after each whether Claude works in the background. */
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
