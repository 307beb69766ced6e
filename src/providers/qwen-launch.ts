import { pathOf, type TempFile } from "../spec/launch-plan.ts";
import type { LaunchOptions, LaunchParts, Refusal } from "../spec/provider.ts";
import type { PermissionMode, PromptRequest } from "../spec/request.ts";
import { type PromptCommand, toPromptCommand, toPromptSkill } from "./prompt-command.ts";

const LONGEST_SYSTEM_ARGUMENT = 100_000;

/** Arguments, environment, home and stdin of one headless `qwen` process; each was checked with 0.15.10. */
export function launchQwen(request: PromptRequest, options: LaunchOptions): LaunchParts {
  const tempFiles: TempFile[] = [];
  const isAgent = request.mode === "agent";
  const command = isAgent ? undefined : commandFor(request.prompt);
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
    ...system.env,
    ...(isAgent
      ? {}
      : { QWEN_CODE_SYSTEM_SETTINGS_PATH: pathOf(addFile(tempFiles, "settings.json", JSON.stringify(PURE_SETTINGS))) }),
    ...(request.maxOutputTokens === undefined ? {} : { QWEN_CODE_MAX_OUTPUT_TOKENS: String(request.maxOutputTokens) }),
  };
  const homeFiles = command === undefined ? [] : [command.file];
  return { args, env, stdin: { text: command?.call ?? request.prompt, close: "now" }, tempFiles, homeFiles };
}

/** Refuses the few prompts that Qwen Code would change on their way to the model. */
export function refuseForQwen(request: PromptRequest): Refusal | undefined {
  if (request.mode === "agent" || commandFor(request.prompt) !== undefined) return undefined;
  return {
    code: "prompt-malformed",
    message:
      "Qwen Code would not pass on a prompt with two of the marks !{, @{ and {{args}} and blanks around it or carriage returns.",
    hint: "Take the blanks and carriage returns away, or use another provider.",
  };
}

/** On stdin `@word` would be looked up as a file, which puts blanks into addresses, and `/word` be carried out. */
function commandFor(prompt: string): PromptCommand | undefined {
  return toPromptCommand(prompt) ?? toPromptSkill(prompt);
}

/** Every tool it has; one that a newer version adds is kept away by `tools.core`. */
const OWN_TOOLS: readonly string[] = [
  ...["agent", "ask_user_question", "cron_create", "cron_delete", "cron_list", "edit", "exit_plan_mode", "glob", "grep_search"],
  ...["list_directory", "lsp", "monitor", "read_file", "run_shell_command", "save_memory", "send_message", "skill", "task_stop"],
  ...["todo_write", "tool_search", "web_fetch", "write_file"],
];

const PURE_ARGUMENTS: readonly string[] = [
  ...["--approval-mode", "default", "--extensions", "none", "--allowed-mcp-server-names", "none"],
  ...OWN_TOOLS.flatMap((tool) => ["--exclude-tools", tool]),
];

/** Put over the user's own settings, of which the login is meant to stay: 0.2 KB goes upstream instead of 67 KB. */
const PURE_SETTINGS = {
  $version: 4,
  context: { fileName: ["COXSWAIN-READS-NO-CONTEXT.md"], loadFromIncludeDirectories: false },
  disableAllHooks: true,
  experimental: { cron: false },
  general: { checkpointing: { enabled: false }, enableAutoUpdate: false },
  mcp: { serverCommand: "" },
  memory: { enableAutoSkill: false, enableManagedAutoDream: false, enableManagedAutoMemory: false },
  // Its own retries take up to an hour; those that no setting turns down take 80 s.
  model: {
    enableOpenAILogging: false,
    generationConfig: { maxRetries: 0 },
    maxSessionTurns: -1,
    skipNextSpeakerCheck: true,
    skipStartupContext: true,
  },
  privacy: { usageStatisticsEnabled: false },
  security: { folderTrust: { enabled: false } },
  telemetry: { enabled: false },
  tools: { callCommand: "", core: ["none"], discoveryCommand: "", sandbox: false },
} as const;

function addFile(tempFiles: TempFile[], name: string, content: string): TempFile {
  const file = { name, content };
  tempFiles.push(file);
  return file;
}

type SystemParts = { readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> };

/** A completion has its system prompt in a file, because an empty argument would bring back Qwen Code's own. */
function systemParts(request: PromptRequest, tempFiles: TempFile[]): SystemParts {
  const { system, systemMode = "replace", mode } = request;
  const text = systemMode === "append" ? "" : (system ?? "");
  const isFile = mode !== "agent" || Buffer.byteLength(text) > LONGEST_SYSTEM_ARGUMENT;
  const env: Readonly<Record<string, string>> = isFile
    ? { QWEN_SYSTEM_MD: pathOf(addFile(tempFiles, "system-prompt.md", text)) }
    : {};
  if (systemMode === "append" && system !== undefined) return { args: ["--append-system-prompt", system], env };
  return { args: isFile || system === undefined ? [] : ["--system-prompt", system], env };
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
    ...(tools ?? []).flatMap((tool) => ["--core-tools", tool]),
    ...allow.flatMap((pattern) => ["--allowed-tools", pattern]),
    ...deny.flatMap((pattern) => ["--exclude-tools", pattern]),
    ...(request.addDirs ?? []).flatMap((directory) => ["--add-dir", directory]),
  ];
}

function sessionArguments(request: PromptRequest): readonly string[] {
  const { session } = request;
  if (session === undefined) return request.mode === "agent" ? [] : ["--chat-recording=false"];
  if ("keep" in session) return [];
  if ("resume" in session) return ["--resume", session.resume];
  return session.id === undefined ? [] : ["--session-id", session.id];
}

/** Server settings may hold secrets: they go by a private file, never by argument. */
function mcpArguments(request: PromptRequest, tempFiles: TempFile[]): readonly string[] {
  if (request.mcpServers === undefined) return [];
  return ["--mcp-config", pathOf(addFile(tempFiles, "mcp.json", JSON.stringify({ mcpServers: request.mcpServers })))];
}

function schemaArguments(request: PromptRequest, tempFiles: TempFile[]): readonly string[] {
  if (request.outputSchema === undefined) return [];
  return ["--json-schema", `@${pathOf(addFile(tempFiles, "schema.json", JSON.stringify(request.outputSchema)))}`];
}
