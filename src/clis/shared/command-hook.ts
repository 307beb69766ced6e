import { type HookProgram, hookProgram } from "./hook-program.ts";
import { plainCommandSources } from "./plain-commands.ts";
import type { ShellRules } from "./shell-rules.ts";

/**
 * A program for a CLI that starts hooks before its tools and whose own patterns other commands get past. It allows a command of the
 * shell that the patterns name, denies every other one, and says nothing about other tools; if `known` is given, it denies those that do not match it.
 */
export function commandHook(rules: ShellRules, tools: readonly string[], known?: RegExp): HookProgram {
  const toSources = (patterns: readonly string[]): readonly string[] => patterns.flatMap((text) => plainCommandSources(text));
  const settings = { tools, allowed: toSources(rules.allowed), denied: toSources(rules.denied), known: known?.source ?? "" };
  return hookProgram("command-hook", PROGRAM, settings);
}

/**
 * The answer has the fields of Copilot and those of Qwen Code. Exit code 2 denies a call for both, whatever else is printed. Any other code,
 * such as that of a killed program or of a missing file, would let Qwen Code run it.
 */
const PROGRAM = `"use strict";
const { tools, allowed, denied, known } = SETTINGS;
const matches = (sources, text) => sources.some((source) => new RegExp("^" + source + "$").test(text));
process.exitCode = 2;
const question = JSON.parse(require("fs").readFileSync(0, "utf8"));
const name = question.tool_name ?? question.toolName;
if (tools.includes(name)) {
  const given = question.tool_input ?? question.toolArgs;
  const { command } = typeof given === "string" ? JSON.parse(given) : given;
  if (typeof command === "string" && matches(allowed, command) && !matches(denied, command)) {
    const answer = { permissionDecision: "allow", permissionDecisionReason: "The command is allowed." };
    console.log(JSON.stringify({ ...answer, hookSpecificOutput: { hookEventName: "PreToolUse", ...answer } }));
    process.exitCode = 0;
  }
} else if (new RegExp(known).test(name)) process.exitCode = 0;
`;
