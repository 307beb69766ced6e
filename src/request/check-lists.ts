import { createFailure } from "../spec/failure/create-failure.ts";
import type { Failure } from "../spec/failure/failure.ts";
import type { PromptRequest } from "../spec/request.ts";

/**
 * The failure of a list that a CLI would split or misread: an entry that looks like an option, a tool pattern that is no name or
 * `name(…)`, or a name of an MCP server with other characters than letters, digits, `_`, `-`, `.` and spaces.
 */
export function checkLists({ permissions = {}, addDirs = [], mcpServers = {} }: PromptRequest): Failure | undefined {
  const patterns = [...(permissions.allow ?? []), ...(permissions.deny ?? []), ...(permissions.tools ?? [])];
  const option = [...patterns, ...addDirs].find((text) => text.startsWith("-") || text === "");
  if (option !== undefined) {
    const message = `"${option}" is not a tool, pattern or directory: the CLI would parse it as an option.`;
    return createFailure("options-conflict", message);
  }
  const malformed = patterns.find((pattern) => !isPattern(pattern));
  if (malformed !== undefined) {
    return createFailure("bad-request", `"${malformed}" is not a tool name or a pattern such as Bash(git status).`, {
      hint: "Give each tool its own entry, and close each parenthesis.",
    });
  }
  const server = Object.keys(mcpServers).find((name) => !SERVER_NAME.test(name) || name === "__proto__");
  if (server === undefined) return undefined;
  return createFailure("bad-request", `"${server}" cannot be the name of an MCP server.`, {
    hint: "Use letters, digits, _, -, . and spaces, and begin with a letter, a digit or _.",
  });
}

const SERVER_NAME = /^[\p{L}\p{N}_][\p{L}\p{N}_. -]*$/u;

/** A name without spaces, commas and parentheses, alone or with balanced parentheses that end with the text. */
function isPattern(text: string): boolean {
  const [, rest] = /^[^\s,()]+(.*)$/s.exec(text) ?? [];
  if (rest === undefined || rest === "") return rest !== undefined;
  let depth = 0;
  for (const [index, character] of [...rest].entries()) {
    if (character === "(") depth += 1;
    else if (character === ")") depth -= 1;
    if (depth === 0) return index === [...rest].length - 1 && character === ")";
  }
  return false;
}
