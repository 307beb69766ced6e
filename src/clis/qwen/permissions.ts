import { pathOf, type TempFile } from "../../spec/provider/launch-plan.ts";
import type { Refusal } from "../../spec/provider/provider.ts";
import type { PermissionMode, PromptRequest } from "../../spec/request.ts";
import { commandHook } from "../shared/command-hook.ts";
import { refuseDeniedCommands } from "../shared/refuse-commands.ts";
import { refuseCommas } from "../shared/refuse-commas.ts";
import { readShellRules } from "../shared/shell-rules.ts";
import { OWN_TOOLS } from "./settings.ts";

/** Names of Claude Code for tools of Qwen Code. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ["Bash", "run_shell_command"],
  ["Shell", "run_shell_command"],
  ["Read", "read_file"],
  ["Write", "write_file"],
  ["Edit", "edit"],
  ["Grep", "grep_search"],
  ["Glob", "glob"],
  ["LS", "list_directory"],
  ["WebFetch", "web_fetch"],
  ["WebSearch", "web_search"],
  ["TodoWrite", "todo_write"],
]);

function isShell(name: string): boolean {
  return toEntry(name) === "run_shell_command";
}

/** An entry with Qwen Code's own name for the tool, and `:*` in its other form. */
function toEntry(entry: string): string {
  const [name = "", ...rest] = entry.split(/(?=\()/);
  return (NAMES.get(name) ?? name) + rest.join("").replace(/:\*\)$/, " *)");
}

/** Refuses lists that Qwen Code would split, and command patterns that it cannot keep to. */
export function refuseQwenPermissions(request: PromptRequest): Refusal | undefined {
  const { permissions: { tools = [], allow = [], deny = [] } = {}, addDirs = [] } = request;
  return (
    refuseCommas("Qwen Code", [...tools, ...allow, ...deny, ...addDirs]) ?? refuseDeniedCommands(request, isShell, "Qwen Code")
  );
}

const APPROVALS: Readonly<Record<PermissionMode, string>> = {
  default: "default",
  plan: "plan",
  "dont-ask": "default",
  "accept-edits": "auto-edit",
  bypass: "yolo",
};

/** What an agent may do, as arguments. */
export function agentArguments(request: PromptRequest): readonly string[] {
  const { mode = "default", tools, allow = [], deny = [] } = request.permissions ?? {};
  return [
    ...["--approval-mode", APPROVALS[mode]],
    ...(tools === undefined ? [] : onlyTools(tools.map(toEntry))),
    ...allow.flatMap((entry) => ["--allowed-tools", toEntry(entry)]),
    ...deny.flatMap((entry) => ["--exclude-tools", toEntry(entry)]),
    ...(request.addDirs ?? []).flatMap((directory) => ["--add-dir", directory]),
  ];
}

/** Qwen Code offers some tools even if `--core-tools` does not name them. */
function onlyTools(tools: readonly string[]): readonly string[] {
  const kept = tools.map((tool) => tool.replace(/\(.*/s, ""));
  const others = OWN_TOOLS.filter((tool) => !kept.includes(tool));
  return [
    ...(tools.length === 0 ? ["none"] : tools).flatMap((tool) => ["--core-tools", tool]),
    ...others.flatMap((tool) => ["--exclude-tools", tool]),
  ];
}

/** Its tools that run commands. */
const SHELL_TOOLS: readonly string[] = ["run_shell_command", "monitor", "exec"];

/**
 * The variables of the hook that keeps to command patterns. Qwen Code's own patterns (0.15.10, 0.24.4) also allow `file-tools $(touch y)`,
 * `file-tools a>y` and `PATH=. file-tools`. These settings override the user's, so that no other settings switch the hook off.
 */
export function hookVariables(request: PromptRequest, tempFiles: TempFile[]): Readonly<Record<string, string>> {
  const rules = readShellRules(request, isShell);
  if (rules.allowed.length === 0) return {};
  const { file, env, command } = commandHook(rules, SHELL_TOOLS);
  const hooks = { PreToolUse: [{ hooks: [{ type: "command", command, timeout: HOOK_MS }] }] };
  const settings = { name: "hooks.json", content: JSON.stringify({ $version: 4, disableAllHooks: false, hooks }) };
  tempFiles.push(file, settings);
  return { ...env, QWEN_CODE_SYSTEM_SETTINGS_PATH: pathOf(settings) };
}

/** Qwen Code runs a call whose hook takes longer than this: the longest time that a timer of Node takes. */
const HOOK_MS = 2 ** 31 - 1;
