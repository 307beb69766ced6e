import type { Recording } from "../../src/testing/replay.ts";

/** The answer of each turn as the CLI's own `result` lines declare it, empty for a turn that failed; text output declares none. */
export function readDeclaredAnswers(recording: Recording): readonly string[] {
  const text = new TextDecoder().decode(recording.stdout);
  if (recording.format === "text" || text.trim() === "") return [];
  const values: readonly unknown[] = recording.format === "json" ? [JSON.parse(text)].flat() : text.split("\n").flatMap(readLine);
  return values.flatMap((value) => {
    if (typeof value !== "object" || value === null || Reflect.get(value, "type") !== "result") return [];
    const answer: unknown = Reflect.get(value, "is_error") === false ? Reflect.get(value, "result") : "";
    return typeof answer === "string" ? [answer] : [""];
  });
}

function readLine(line: string): readonly unknown[] {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}
