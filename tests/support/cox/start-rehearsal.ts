import type { JsonObject } from "../../../src/spec/json.ts";
import { type Ended, type Started, startScript } from "./start-program.ts";

/** The input line of a user message. */
export function userLine(text: string): string {
  return `${JSON.stringify({ type: "user", message: { role: "user", content: [{ type: "text", text }] } })}\n`;
}

/** Starts the rehearsal CLI with its stdin open; it stores no session. */
export function startRehearsal(...args: readonly string[]): Started {
  return startScript("src/rehearsal/rehearsal-cli.ts", [...args, "--no-session-persistence"], { stdin: "open" });
}

/** Sends one prompt and waits for the end of the process. */
export async function rehearse(
  prompt: string,
  ...args: readonly string[]
): Promise<Ended & { readonly lines: readonly JsonObject[] }> {
  const started = startRehearsal(...args);
  started.end(userLine(prompt));
  const ended = await started.ended;
  return { ...ended, lines: toLines(ended.stdout) };
}

/** Every line of an output as JSON; throws on a line that is not. */
export function toLines(stdout: string): readonly JsonObject[] {
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line): JsonObject => JSON.parse(line));
}

/** The kind of a line: its type, with the subtype or the type of the streamed event. */
export function kindOf(line: JsonObject): string {
  const event = line["event"];
  if (typeof event === "object" && event !== null) return `stream:${String(Reflect.get(event, "type"))}`;
  return line["type"] === "system" ? `system:${String(line["subtype"])}` : String(line["type"]);
}

/** The kinds of all lines; equal ones in a row count once. */
export function kindsOf(lines: readonly JsonObject[]): readonly string[] {
  return lines.map(kindOf).filter((kind, index, all) => kind !== all[index - 1]);
}

/** The value at a path of keys, or undefined. */
export function dig(value: unknown, ...keys: readonly (string | number)[]): unknown {
  return keys.reduce<unknown>(
    (found, key) => (typeof found === "object" && found !== null ? Reflect.get(found, key) : undefined),
    value,
  );
}
