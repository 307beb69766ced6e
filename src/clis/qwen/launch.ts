import { pathOf, type TempFile } from "../../spec/launch-plan.ts";
import type { LaunchOptions, LaunchParts, Refusal } from "../../spec/provider.ts";
import type { PermissionMode, PromptRequest } from "../../spec/request.ts";
import { refuseCommas } from "../refuse-commas.ts";
import { commandFor } from "./input.ts";
import { addFile, agentVariables, OWN_TOOLS, PURE_ARGUMENTS, pureVariables } from "./settings.ts";

/**
 * The launcher of 0.24.4 starts the program as a child that signals do not reach, unless its arguments ask for help. It reads them
 * from this variable first; the program reads the real ones. With the compile cache on it leaves files in the temporary directory.
 */
const ONE_PROCESS = { QWEN_CODE_RELAUNCH_ARGS: '["-h"]', NODE_DISABLE_COMPILE_CACHE: "1" };

/** Arguments, environment and home of one headless `qwen` process; each was checked with 0.15.10 and 0.24.4. */
export function launchQwen(request: PromptRequest, options: LaunchOptions): LaunchParts {
  const tempFiles: TempFile[] = [];
  const isAgent = request.mode === "agent";
  const command = commandFor(request);
  const system = systemParts(request, tempFiles);
  const args = [
    ...["-o", "stream-json", "--include-partial-messages"],
    ...(options.model === undefined ? [] : ["-m", options.model]),
    ...(isAgent ? agentArguments(request) : PURE_ARGUMENTS),
    ...system.args,
    ...sessionArguments(request),
    ...mcpArguments(request, tempFiles),
    ...schemaArguments(request, tempFiles),
    ...(request.maxTurns === undefined ? [] : ["--max-session-turns", String(request.maxTurns)]),
  ];
  const env = {
    ...ONE_PROCESS,
    ...system.env,
    ...(isAgent ? agentVariables(request, tempFiles) : pureVariables(request, tempFiles)),
  };
  const homeFiles = command === undefined ? [] : [command.file];
  return { args, env, tempFiles, homeFiles };
}

/** Refuses lists that Qwen Code would split, and the few prompts that it would change before it sends them to the model. */
export function refuseForQwen(request: PromptRequest): Refusal | undefined {
  const { mode, permissions: { tools = [], allow = [], deny = [] } = {}, addDirs = [] } = request;
  if (mode === "agent") return refuseCommas("Qwen Code", [...tools, ...allow, ...deny, ...addDirs]);
  if (request.mcpServers !== undefined) {
    return {
      code: "option-unsupported",
      message: "Qwen Code starts MCP servers in agent mode only.",
      hint: 'Set mode to "agent".',
    };
  }
  if (commandFor(request) !== undefined) return undefined;
  return {
    code: "prompt-malformed",
    message:
      "Qwen Code would change a prompt that has two of the marks !{, @{ and {{args}} with a line break or several spaces between them.",
    hint: "Remove the line breaks and spaces between the marks, or use another provider.",
  };
}

type SystemParts = { readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> };

/**
 * The system prompt is in a private file, because other users of the machine can see arguments, and Qwen Code replaces an empty
 * argument by its own system prompt. A text to append can only be an argument.
 */
function systemParts(request: PromptRequest, tempFiles: TempFile[]): SystemParts {
  const { system = "", systemMode, mode } = request;
  if (systemMode === "append") return { args: system === "" ? [] : [`--append-system-prompt=${system}`], env: {} };
  if (mode === "agent" && system === "") return { args: [], env: {} };
  return { args: [], env: { QWEN_SYSTEM_MD: pathOf(addFile(tempFiles, "system-prompt.md", system)) } };
}

const APPROVALS: Readonly<Record<PermissionMode, string>> = {
  default: "default",
  plan: "plan",
  "dont-ask": "default",
  "accept-edits": "auto-edit",
  bypass: "yolo",
};

function agentArguments(request: PromptRequest): readonly string[] {
  const { mode = "default", tools, allow = [], deny = [] } = request.permissions ?? {};
  return [
    ...["--approval-mode", APPROVALS[mode]],
    ...(tools === undefined ? [] : onlyTools(tools)),
    ...allow.flatMap((pattern) => ["--allowed-tools", pattern]),
    ...deny.flatMap((pattern) => ["--exclude-tools", pattern]),
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

function sessionArguments(request: PromptRequest): readonly string[] {
  const { session } = request;
  if (session === undefined) return request.mode === "agent" ? [] : ["--chat-recording=false"];
  if ("keep" in session) return [];
  if ("resume" in session) return ["--resume", session.resume];
  return session.id === undefined ? [] : ["--session-id", session.id];
}

/** Server settings may contain secrets: they are passed in a private file, never in an argument. */
function mcpArguments(request: PromptRequest, tempFiles: TempFile[]): readonly string[] {
  if (request.mcpServers === undefined) return [];
  return ["--mcp-config", pathOf(addFile(tempFiles, "mcp.json", JSON.stringify({ mcpServers: request.mcpServers })))];
}

function schemaArguments(request: PromptRequest, tempFiles: TempFile[]): readonly string[] {
  if (request.outputSchema === undefined) return [];
  return ["--json-schema", `@${pathOf(addFile(tempFiles, "schema.json", JSON.stringify(request.outputSchema)))}`];
}
