/** The beginnings of calls in notations that other products use. */
export const OTHER_NOTATIONS: readonly string[] = ["<tool_call", "<function_calls", "<invoke"];

const FENCE_WORDS: ReadonlySet<string> = new Set(["", "json", "json5", "jsonc", "tool_calls", "tool_call"]);

/** True if a fence with this info string may hold a call: it has none, or its first word names JSON or calls. */
export function mayHoldCall(info: string): boolean {
  return FENCE_WORDS.has(/^\S{0,20}/.exec(info)?.[0].toLowerCase() ?? "");
}

/** Where the JSON in a one-line fence begins and ends, and where the fence ends. */
export function oneLineFence(
  line: string,
): { readonly jsonStart: number; readonly contentEnd: number; readonly end: number } | undefined {
  const opening = /^ {0,3}(`{3,})/.exec(line);
  const fence = opening?.[1];
  if (opening === null || fence === undefined || !line.endsWith(fence) || line.at(-fence.length - 1) === "`") return undefined;
  const jsonStart = line.indexOf("{");
  const contentEnd = line.length - fence.length;
  if (jsonStart === -1 || jsonStart > contentEnd) return undefined;
  const word = line.slice(opening[0].length, jsonStart).trim().toLowerCase();
  return FENCE_WORDS.has(word) ? { jsonStart, contentEnd, end: line.length } : undefined;
}
