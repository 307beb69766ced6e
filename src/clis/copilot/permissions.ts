import { RUN_DIRECTORY, type TempFile } from "../../spec/provider/cli-data.ts";
import type { LaunchParts } from "../../spec/provider/provider.ts";
import type { Refusal } from "../../spec/provider/provider-facts.ts";
import type { PermissionMode, PromptRequest } from "../../spec/request.ts";
import { commandHook } from "../shared/hook-program.ts";
import { refuseDeniedCommands } from "../shared/refuse.ts";
import { readEntry, readShellRules, renameIn } from "../shared/shell-rules.ts";

const MODES: Readonly<Record<PermissionMode, readonly string[]>> = {
  default: [],
  plan: [],
  "dont-ask": [],
  // Hooks and settings of git are programs. Copilot also lets its tools write in the temporary directory of the system.
  "accept-edits": ["--allow-tool=write", "--deny-tool=write(.git/**)", "--deny-tool=write(.git)", "--disallow-temp-dir"],
  bypass: ["--allow-all"],
};

/**
 * Copilot denies each tool that is not allowed, because in this mode it cannot ask the user. It runs commands that it takes for reading (1.0.102), and some of
 * those write (`git branch x`): without a pattern for commands its shell is denied.
 */
export function agentArguments(request: PromptRequest): readonly string[] {
  const { permissions = {}, addDirs = [], hostServer } = request;
  const { mode = "default", tools, allow = [], deny = [] } = permissions;
  const { isOpen, allowed } = readShellRules(request, isShell);
  const hostServers = hostServer === undefined ? [] : [hostServer];
  return [
    ...MODES[mode],
    ...(tools === undefined ? [] : [`--available-tools=${available(tools, hostServers).join(",")}`]),
    ...hostServers.map((server) => `--allow-tool=${server}`),
    ...allow.map(toPattern).flatMap((pattern) => (COMMANDS.test(pattern) ? [] : [`--allow-tool=${pattern}`])),
    ...(isOpen || allowed.length > 0 ? [] : ["--deny-tool=shell"]),
    ...deny.map((pattern) => `--deny-tool=${toPattern(pattern)}`),
    ...addDirs.flatMap((directory) => ["--add-dir", directory]),
  ];
}

/** An empty list would mean all tools, and no tool is named `none`. */
function available(tools: readonly string[], servers: readonly string[]): readonly string[] {
  return [...(tools.length === 0 ? ["none"] : tools.map(toolName)), ...servers.map((server) => `${server}/*`)];
}

/** A pattern for some commands; the hook allows them. */
const COMMANDS = /^shell\((?!:?\*?\)$)/;

/** Tool names of other CLIs, such as `Bash`, mean the same tool here. */
function toolName(tool: string): string {
  return /^[A-Z][A-Za-z]*$/.test(tool) ? tool.toLowerCase() : tool;
}

const KINDS: ReadonlyMap<string, string> = new Map([
  ["bash", "shell"],
  ["edit", "write"],
  ["create", "write"],
  ["webfetch", "url"],
  ["web_fetch", "url"],
]);

/** Copilot names permissions by kind: every shell is `shell`, every tool that changes files is `write`. */
function toPattern(pattern: string): string {
  return renameIn(pattern, kindOf);
}

function kindOf(name: string): string {
  return KINDS.get(toolName(name)) ?? toolName(name);
}

function isShell(name: string): boolean {
  return kindOf(name) === "shell";
}

/** Refuses command patterns that Copilot cannot keep to. */
export function refuseCopilotPermissions(request: PromptRequest): Refusal | undefined {
  return refuseDeniedCommands(request, isShell, "GitHub Copilot CLI");
}

/** Its tools that run commands, or send text to a command that runs. */
const SHELL_TOOLS: readonly string[] = ["bash", "write_bash", "powershell", "write_powershell"];

const FOLDER = "command-plugin";

/**
 * Tools of 1.0.102 that change nothing outside of their session, or that Copilot's own rules (`write`, `url`) decide about. A name with `-` is a tool of an MCP
 * server, which runs only if it is allowed.
 */
const KNOWN_TOOLS: readonly string[] = [
  ...["view", "grep", "rg", "glob", "create", "edit", "str_replace_editor", "apply_patch", "web_fetch", "web_search"],
  ...["read_bash", "stop_bash", "list_bash", "read_powershell", "stop_powershell", "list_powershell"],
  ...["sql", "session_store_sql", "fetch_copilot_cli_documentation", "skill", "report_intent", "update_todo", "task_complete"],
  ...["task", "read_agent", "list_agents", "write_agent"],
];

/** The tools that the hook leaves to Copilot's own rules: the known ones, those of MCP servers, and those that the request names. */
function knownTools({ permissions = {} }: PromptRequest): RegExp {
  const named = (permissions.allow ?? []).map((entry) => toolName(readEntry(entry).name));
  const names = [...KNOWN_TOOLS, ...named].map((name) => name.replace(/[^\w]/g, "\\$&"));
  return new RegExp(`^(?:${names.join("|")}|.*-.*)$`, "s");
}

/**
 * A plugin with the hook of an agent that may not run every command. It allows the commands of a pattern: Copilot's own patterns (1.0.102) also allow
 * `PATH=. file-tools` and `export PATH=.; file-tools`. It denies every other command and every tool that is not known.
 */
export function hookParts(request: PromptRequest, tempFiles: TempFile[]): Pick<LaunchParts, "args" | "env"> {
  const rules = readShellRules(request, isShell);
  if (request.mode !== "agent" || rules.isOpen || request.permissions?.mode === "bypass") return { args: [], env: {} };
  const { file, env, command } = commandHook(rules, SHELL_TOOLS, knownTools(request));
  const hooks = { version: 1, hooks: { preToolUse: [{ type: "command", bash: command, timeoutSec: HOOK_SECONDS }] } };
  const plugin = { name: "coxswain-commands", version: "1.0.0", description: "Keeps to command patterns.", hooks: "hooks.json" };
  tempFiles.push(
    file,
    { name: `${FOLDER}/plugin.json`, content: JSON.stringify(plugin) },
    { name: `${FOLDER}/hooks.json`, content: JSON.stringify(hooks) },
  );
  return { args: ["--plugin-dir", `${RUN_DIRECTORY}/${FOLDER}`], env };
}

/** A call whose hook takes longer is denied. */
const HOOK_SECONDS = 60;
