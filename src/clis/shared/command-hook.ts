import { pathOf, type TempFile } from "../../spec/provider/launch-plan.ts";
import { plainCommandSources } from "./plain-commands.ts";
import type { ShellRules } from "./shell-rules.ts";

/** The hook of one run: its program, the variables that name it, and the command line that starts it in a POSIX shell. */
export type CommandHook = {
  readonly file: TempFile;
  readonly env: Readonly<Record<string, string>>;
  readonly command: string;
};

/**
 * A program for a CLI that starts hooks before its tools and whose own patterns other commands get past. It allows a command of the
 * shell that the patterns name, denies every other one, and says nothing about other tools.
 */
export function commandHook(rules: ShellRules, tools: readonly string[]): CommandHook {
  const toSources = (patterns: readonly string[]): readonly string[] => patterns.flatMap((text) => plainCommandSources(text));
  const settings = { tools, allowed: toSources(rules.allowed), denied: toSources(rules.denied) };
  const file: TempFile = { name: "command-hook.cjs", content: PROGRAM.replace("SETTINGS", () => JSON.stringify(settings)) };
  return {
    file,
    env: { COXSWAIN_NODE: process.execPath, COXSWAIN_COMMAND_HOOK: pathOf(file) },
    command: `NODE_OPTIONS= "$COXSWAIN_NODE" "$COXSWAIN_COMMAND_HOOK" || { echo '${UNCHECKED}' >&2; exit 2; }`,
  };
}

/** The last line on stderr; Qwen Code runs a call whose hook exits with code 2 and says nothing. */
const UNCHECKED = "The call is not allowed.";

/**
 * The answer has the fields of Copilot and those of Qwen Code. Exit code 2 denies a call for both, whatever else is printed. Any other code,
 * such as that of a killed program or of a missing file, would let Qwen Code run it.
 */
const PROGRAM = `"use strict";
const { tools, allowed, denied } = SETTINGS;
const matches = (sources, text) => sources.some((source) => new RegExp("^" + source + "$").test(text));
process.exitCode = 2;
const question = JSON.parse(require("fs").readFileSync(0, "utf8"));
if (tools.includes(question.tool_name ?? question.toolName)) {
  const given = question.tool_input ?? question.toolArgs;
  const { command } = typeof given === "string" ? JSON.parse(given) : given;
  if (typeof command === "string" && matches(allowed, command) && !matches(denied, command)) {
    const answer = { permissionDecision: "allow", permissionDecisionReason: "The command is allowed." };
    console.log(JSON.stringify({ ...answer, hookSpecificOutput: { hookEventName: "PreToolUse", ...answer } }));
    process.exitCode = 0;
  }
} else process.exitCode = 0;
`;
