import { RUN_DIRECTORY, type TempFile } from "../../spec/provider/launch-plan.ts";
import type { LaunchParts, Refusal } from "../../spec/provider/provider.ts";
import type { PermissionMode, PromptRequest } from "../../spec/request.ts";
import { commandHook } from "../shared/command-hook.ts";
import { refuseDeniedCommands } from "../shared/refuse-commands.ts";
import { readShellRules } from "../shared/shell-rules.ts";

const MODES: Readonly<Record<PermissionMode, readonly string[]>> = {
  default: [],
  plan: [],
  "dont-ask": [],
  "accept-edits": ["--allow-tool=write"],
  bypass: ["--allow-all"],
};

/** Copilot denies each tool that is not allowed, because in this mode it cannot ask the user. */
export function agentArguments({ permissions = {}, addDirs = [], hostServer }: PromptRequest): readonly string[] {
  const { mode = "default", tools, allow = [], deny = [] } = permissions;
  const hostServers = hostServer === undefined ? [] : [hostServer];
  return [
    ...MODES[mode],
    ...(tools === undefined ? [] : [`--available-tools=${available(tools, hostServers).join(",")}`]),
    ...hostServers.map((server) => `--allow-tool=${server}`),
    ...allow.map(toPattern).flatMap((pattern) => (COMMANDS.test(pattern) ? [] : [`--allow-tool=${pattern}`])),
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
  const [name = "", ...rest] = pattern.split(/(?=\()/);
  return kindOf(name) + rest.join("");
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
 * A plugin with the hook that keeps to command patterns. Copilot's own patterns (1.0.102) also allow `PATH=. file-tools` and
 * `export PATH=.; file-tools`. Without the hook none of these commands would run.
 */
export function hookParts(request: PromptRequest, tempFiles: TempFile[]): Pick<LaunchParts, "args" | "env"> {
  const rules = readShellRules(request, isShell);
  if (rules.allowed.length === 0) return { args: [], env: {} };
  const { file, env, command } = commandHook(rules, SHELL_TOOLS);
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
