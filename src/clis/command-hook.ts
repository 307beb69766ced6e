import { pathOf, type TempFile } from "../spec/launch-plan.ts";
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
  const toSource = (patterns: readonly string[]): string => patterns.flatMap((text) => plainCommandSources(text)).join("|");
  const settings = { tools, allowed: toSource(rules.allowed), denied: toSource(rules.denied) };
  const file: TempFile = { name: "command-hook.cjs", content: PROGRAM.replace("SETTINGS", () => JSON.stringify(settings)) };
  return {
    file,
    env: { COXSWAIN_NODE: process.execPath, COXSWAIN_COMMAND_HOOK: pathOf(file) },
    command: '"$COXSWAIN_NODE" "$COXSWAIN_COMMAND_HOOK"',
  };
}

/** The answer has the fields of Copilot and those of Qwen Code; exit code 2 denies a call for both. */
const PROGRAM = `"use strict";
const { tools, allowed, denied } = SETTINGS;
const matches = (source, text) => source !== "" && new RegExp("^(?:" + source + ")$").test(text);
try {
  const question = JSON.parse(require("fs").readFileSync(0, "utf8"));
  if (tools.includes(question.tool_name ?? question.toolName)) {
    const given = question.tool_input ?? question.toolArgs;
    const { command } = typeof given === "string" ? JSON.parse(given) : given;
    const isAllowed = typeof command === "string" && matches(allowed, command) && !matches(denied, command);
    const permissionDecision = isAllowed ? "allow" : "deny";
    const permissionDecisionReason = isAllowed ? "The command is allowed." : "The command is not allowed.";
    const answer = { permissionDecision, permissionDecisionReason };
    console.log(JSON.stringify({ ...answer, hookSpecificOutput: { hookEventName: "PreToolUse", ...answer } }));
  }
} catch (error) {
  console.error(String(error));
  process.exitCode = 2;
}
`;
