import type { Recording } from "../../src/testing/replay.ts";

/** The answer of each turn as Claude's own `result` lines declare it, empty for a turn that failed; text output declares none. */
export function readDeclaredAnswers(recording: Recording): readonly string[] {
  return readValues(recording).flatMap((value) => {
    if (read(value, "type") !== "result") return [];
    const answer = read(value, "is_error") === false ? read(value, "result") : "";
    return typeof answer === "string" ? [answer] : [""];
  });
}

/** The last message of each turn that Codex's own lines call complete, empty for a turn that failed; text output declares none. */
export function readDeclaredCodexAnswers(recording: Recording): readonly string[] {
  const values = readValues(recording);
  const ends = values.flatMap((value, index) => (/^turn\.(completed|failed)$/.test(String(read(value, "type"))) ? [index] : []));
  return ends.map((end, turn) => {
    if (read(values[end], "type") === "turn.failed") return "";
    const messages = values
      .slice(turn === 0 ? 0 : ends[turn - 1], end)
      .filter((value) => read(value, "type") === "item.completed")
      .map((value) => read(value, "item"))
      .filter((item) => read(item, "type") === "agent_message");
    const answer = read(messages.at(-1), "text");
    return typeof answer === "string" ? answer : "";
  });
}

function readValues({ format, stdout }: Recording): readonly unknown[] {
  const text = new TextDecoder().decode(stdout);
  if (format === "text" || text.trim() === "") return [];
  return format === "json" ? [JSON.parse(text)].flat() : text.split("\n").flatMap(readLine);
}

function readLine(line: string): readonly unknown[] {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}

function read(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}
