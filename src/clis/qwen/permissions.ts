import type { JsonObject } from "../../spec/json.ts";
import { pathOf, type TempFile, type Variables } from "../../spec/provider/cli-data.ts";
import type { Refusal } from "../../spec/provider/provider-facts.ts";
import type { PermissionMode, PromptRequest } from "../../spec/request.ts";
import { commandHook, DENIES, type HookProgram, hookProgram } from "../shared/hook-program.ts";
import { refuseCommas, refuseDeniedCommands } from "../shared/refuse.ts";
import { nameIn, readShellRules, renameIn } from "../shared/shell-rules.ts";
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
  return renameIn(entry, (name) => NAMES.get(name) ?? name).replace(/:\*\)$/, " *)");
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

export function agentArguments(request: PromptRequest, asksHost: boolean): readonly string[] {
  const { mode = "default", tools, allow = [], deny = [] } = request.permissions ?? {};
  const open = openTools(request, asksHost);
  const listed = tools?.map(toEntry) ?? [];
  const closed = open === undefined ? [] : OWN_TOOLS.filter((tool) => !open.includes(tool) && !listed.includes(tool));
  return [
    ...["--approval-mode", APPROVALS[mode]],
    ...(tools === undefined ? [] : coreTools(listed)),
    ...allow.flatMap((entry) => ["--allowed-tools", toEntry(entry)]),
    ...[...new Set([...deny.map(toEntry), ...closed])].flatMap((entry) => ["--exclude-tools", entry]),
    ...(request.addDirs ?? []).flatMap((directory) => ["--add-dir", directory]),
  ];
}

function coreTools(tools: readonly string[]): readonly string[] {
  return (tools.length === 0 ? ["none"] : tools).flatMap((tool) => ["--core-tools", tool]);
}

/** The tools that change nothing outside of the conversation. The rules of the run hold for the tool that `tool_call` calls. */
const READING_TOOLS: readonly string[] = [
  ...["read_file", "read_many_files", "list_directory", "glob", "grep_search", "lsp", "read_mcp_resource", "todo_write"],
  ...["tool_search", "tool_call", "skill", "get_goal", "update_goal", "list_agents", "task_list", "cron_list"],
  ...["structured_output"],
];

const EDITING_TOOLS: readonly string[] = ["edit", "write_file", "notebook_edit"];

const SHELL_TOOLS: readonly string[] = ["run_shell_command", "monitor", "exec"];

/** The other tools about which it asks a host. Besides them it has tools that write without a question, such as `enter_worktree`. */
const ASKED_TOOLS: readonly string[] = [...EDITING_TOOLS, "run_shell_command", "monitor", "web_fetch", "agent", "mcp__*"];

/**
 * The tools that may run, `*` standing for any text; every one if that is for Qwen Code's own mode to decide. Qwen Code's permissions do not hold for all of its tools:
 * some write without a question in every mode (0.24.4).
 */
function openTools(request: PromptRequest, asksHost: boolean): readonly string[] | undefined {
  const { permissions: { mode = "default", tools, allow = [], deny = [] } = {}, hostServer } = request;
  if (mode === "bypass" && tools === undefined) return deniesWriting(deny) ? OPEN_FOR_READING : undefined;
  const listed = tools?.map((tool) => nameIn(toEntry(tool)));
  const asked = asksHost ? ASKED_TOOLS : [];
  const edits = mode === "accept-edits" ? EDITING_TOOLS : [];
  const named = allow.map((entry) => nameIn(toEntry(entry)));
  const ofMode = mode === "bypass" ? (listed ?? []) : [...READING_TOOLS, ...edits, ...asked, ...named.flatMap(withServer)];
  return [
    ...ofMode.filter((tool) => listed?.some((entry) => withServer(entry).includes(tool)) !== false),
    ...(hostServer === undefined ? [] : [`mcp__${hostServer}__*`]),
    ...(request.outputSchema === undefined ? [] : ["structured_output"]),
  ];
}

/** With `bypass` and this list Qwen Code (0.15.10, 0.24.4) still writes worktrees and schedules. */
function deniesWriting(deny: readonly string[]): boolean {
  return ["write_file", "edit", "run_shell_command"].every((tool) => deny.map(toEntry).includes(tool));
}

/** `structured_output` is among the reading tools, and host tools have the names of a server. */
const OPEN_FOR_READING: readonly string[] = [...READING_TOOLS, "web_fetch", "web_search", "mcp__*"];

/** The name of an MCP server stands for all of its tools. */
function withServer(name: string): readonly string[] {
  return name.startsWith("mcp__") ? [name, `${name}__*`] : [name];
}

/**
 * The variables of the hooks that keep to the permissions. Qwen Code's own patterns (0.15.10, 0.24.4) also allow `file-tools $(touch y)`,
 * `file-tools a>y` and `PATH=. file-tools`. These settings override the user's, so that no other settings switch the hooks off.
 */
export function hookVariables(request: PromptRequest, asksHost: boolean, tempFiles: TempFile[]): Variables {
  const rules = readShellRules(request, isShell);
  const open = openTools(request, asksHost);
  const commands = rules.allowed.length === 0 ? undefined : commandHook(rules, SHELL_TOOLS);
  const edits = request.permissions?.mode === "accept-edits" ? editHook(request) : undefined;
  if (open === undefined && commands === undefined) return {};
  const others = [...(open ?? ["*"]), ...(commands ? SHELL_TOOLS : [])].map(toSource).join("|");
  const PreToolUse = [
    toHook(`^(?!(?:${others})$)`, DENIES),
    ...(commands === undefined ? [] : [toHook(`^(?:${SHELL_TOOLS.join("|")})$`, commands.command)]),
    ...(edits === undefined ? [] : [toHook(`^(?:${EDITING_TOOLS.join("|")})$`, edits.command)]),
  ];
  const settings = {
    name: "hooks.json",
    content: JSON.stringify({ $version: 4, disableAllHooks: false, hooks: { PreToolUse } }),
  };
  tempFiles.push(...[commands, edits].flatMap((hook) => hook?.file ?? []), settings);
  return { ...commands?.env, ...edits?.env, QWEN_CODE_SYSTEM_SETTINGS_PATH: pathOf(settings) };
}

function toHook(matcher: string, command: string): JsonObject {
  return { matcher, hooks: [{ type: "command", command, timeout: HOOK_MS }] };
}

/** The name of a tool as a regular expression, in which Qwen Code's matchers are written. */
function toSource(name: string): string {
  return name.replace(/[^\w*]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`).replaceAll("*", ".*");
}

/** Qwen Code runs a call whose hook takes longer than this: the longest time that a timer of Node takes. */
const HOOK_MS = 2 ** 31 - 1;

/**
 * Lets an agent that may edit change files of its directories alone. Qwen Code's own mode (0.15.10, 0.24.4) also writes to whole paths outside, through links, and to the
 * hooks and the configuration of a repository, which git executes.
 */
function editHook({ cwd = ".", addDirs = [] }: PromptRequest): HookProgram {
  return hookProgram("edit-hook", PROGRAM, { roots: [cwd, ...addDirs] });
}

const PROGRAM = `"use strict";
const fs = require("fs");
const path = require("path");
const { roots } = SETTINGS;
process.exitCode = 2;

function realOf(file) {
  if (fs.lstatSync(file, { throwIfNoEntry: false }) !== undefined) return fs.realpathSync(file);
  return path.join(realOf(path.dirname(file)), path.basename(file));
}

function isInside(file) {
  return roots.some((root) => {
    const parts = path.relative(fs.realpathSync(root), file).split(path.sep);
    return parts[0] !== ".." && !path.isAbsolute(parts.join(path.sep)) && !parts.some((part) => part.toLowerCase() === ".git");
  });
}

const { tool_input } = JSON.parse(fs.readFileSync(0, "utf8"));
const files = [tool_input.file_path, tool_input.notebook_path, tool_input.absolute_path].filter((file) => file !== undefined);
if (files.length > 0 && files.every((file) => path.isAbsolute(file) && isInside(realOf(path.resolve(file))))) process.exitCode = 0;
`;
