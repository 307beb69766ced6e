import { pathOf, type TempFile } from "../spec/launch-plan.ts";
import type { PromptRequest } from "../spec/request.ts";

/** Every tool it has: `tools.core` alone leaves seven of them. */
export const OWN_TOOLS: readonly string[] = [
  ...["agent", "ask_user_question", "cron_create", "cron_delete", "cron_list", "edit", "exit_plan_mode", "glob", "grep_search"],
  ...["list_directory", "lsp", "monitor", "read_file", "run_shell_command", "save_memory", "send_message", "skill", "task_stop"],
  ...["todo_write", "tool_search", "web_fetch", "write_file"],
];

/** No extensions, servers or tools. */
export const PURE_ARGUMENTS: readonly string[] = [
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

/** Counts where the service must be told a limit (Anthropic's); others are told none, and take their own. */
const OUTPUT_LIMIT = 32_000;

/**
 * An answer that reaches Qwen Code's limit of 8,000 tokens would be asked for again and be said once more behind its
 * beginning, up to five times; with the variable and without sampling of its own it does not, and sends no limit.
 */
export function pureVariables({ maxOutputTokens }: PromptRequest, tempFiles: TempFile[]): Readonly<Record<string, string>> {
  const samplingParams = maxOutputTokens === undefined ? {} : { max_tokens: maxOutputTokens };
  const generationConfig = { ...PURE_SETTINGS.model.generationConfig, samplingParams };
  const settings = { ...PURE_SETTINGS, model: { ...PURE_SETTINGS.model, generationConfig } };
  const file = addFile(tempFiles, "settings.json", JSON.stringify(settings));
  return { QWEN_CODE_SYSTEM_SETTINGS_PATH: pathOf(file), QWEN_CODE_MAX_OUTPUT_TOKENS: String(maxOutputTokens ?? OUTPUT_LIMIT) };
}

/** Each run would tell a service of Alibaba Cloud about itself and try again for up to an hour; the user's own settings go before these. */
const QUIET_DEFAULTS = {
  $version: 4,
  general: { enableAutoUpdate: false },
  model: { generationConfig: { maxRetries: 0 } },
  privacy: { usageStatisticsEnabled: false },
};

/** What an agent is given besides the user's own settings. */
export function agentVariables({ maxOutputTokens }: PromptRequest, tempFiles: TempFile[]): Readonly<Record<string, string>> {
  const file = addFile(tempFiles, "defaults.json", JSON.stringify(QUIET_DEFAULTS));
  const limit: Readonly<Record<string, string>> =
    maxOutputTokens === undefined ? {} : { QWEN_CODE_MAX_OUTPUT_TOKENS: String(maxOutputTokens) };
  return { QWEN_CODE_SYSTEM_DEFAULTS_PATH: pathOf(file), ...limit };
}

/** Adds a file to those of the run. */
export function addFile(tempFiles: TempFile[], name: string, content: string): TempFile {
  const file = { name, content };
  tempFiles.push(file);
  return file;
}
