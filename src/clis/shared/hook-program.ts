import type { JsonObject } from "../../spec/json.ts";
import { pathOf, type TempFile, type Variables } from "../../spec/provider/cli-data.ts";
import { plainCommandSources, type ShellRules } from "./shell-rules.ts";

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

/** A hook of one run: its program, the variables that name it, and the command line that starts it in a POSIX shell. */
export type HookProgram = {
  readonly file: TempFile;
  readonly env: Variables;
  readonly command: string;
};

/** A program of Node as a hook, with its settings in place of the word SETTINGS. A call runs only if the program ends with exit code 0. */
export function hookProgram(name: string, program: string, settings: JsonObject): HookProgram {
  const file: TempFile = { name: `${name}.cjs`, content: program.replace("SETTINGS", () => JSON.stringify(settings)) };
  const variable = `COXSWAIN_${name.replaceAll("-", "_").toUpperCase()}`;
  return {
    file,
    env: { COXSWAIN_NODE: process.execPath, [variable]: pathOf(file) },
    command: `${inTime(`"$COXSWAIN_NODE" "$${variable}"`)} || { ${DENIES}; }`,
  };
}

/** A command line that denies every call. Qwen Code runs a call whose hook exits with code 2 and says nothing. */
export const DENIES = "echo 'The call is not allowed.' >&2; exit 2";

/**
 * Qwen Code (0.15.10, 0.24.4) waits 60 s for its hooks and then runs the call, so that a program that hangs is killed before. The program itself
 * takes 50 ms. macOS has no `timeout`; a program in the background would have an empty stdin.
 */
function inTime(words: string): string {
  const started = `{ NODE_OPTIONS= ${words} <&3 3<&- & set -- $!; { sleep 30; kill -s KILL $1; } </dev/null >/dev/null 2>&1 3<&- &`;
  const awaited = "set -- $1 $!; wait $1; set -- $? $2; kill $2 2>/dev/null; [ $1 = 0 ]; } 3<&0";
  return `if command -v timeout >/dev/null; then NODE_OPTIONS= timeout -s KILL 30 ${words}; else ${started} ${awaited}; fi`;
}
