import { addFile, type TempFile, type Variables } from "../../spec/provider/cli-data.ts";
import type { PromptRequest } from "../../spec/request.ts";

/** Every tool of the checked versions except the one for structured answers: `tools.core` alone keeps eight of them. */
export const OWN_TOOLS: readonly string[] = [
  ...["agent", "artifact", "ask_user_question", "create_sub_session", "cron_create", "cron_delete", "cron_list"],
  ...["display_image", "edit", "enter_plan_mode", "enter_worktree", "exec", "exit_plan_mode", "exit_worktree"],
  ...["get_goal", "glob", "grep_search", "image_gen", "list_agents", "list_directory", "loop_wakeup", "lsp", "monitor"],
  ...["notebook_edit", "omni_caption_audio", "omni_caption_image", "omni_clip_audio", "omni_clip_image"],
  ...["omni_clip_video", "omni_convert_image", "omni_downsample_audio", "omni_downsample_image"],
  ...["omni_downscale_video", "omni_extract_audio", "omni_extract_keyframes", "omni_ocr_image"],
  ...["omni_recall_media_memory", "omni_transcribe_audio", "omni_understand_video_segments", "propose_goal"],
  ...["read_file", "read_mcp_resource", "record_artifact", "record_source", "report_findings", "request_shutdown"],
  ...["run_shell_command", "save_memory", "send_message", "skill", "task_create", "task_list", "task_stop"],
  ...["task_update", "team_create", "team_delete", "team_plan_approval", "todo_write", "tool_call", "tool_search"],
  ...["update_goal", "web_fetch", "web_search", "workflow", "write_file", "zoom_image"],
];

/** No extensions, no own tools, and no servers besides those of the request. */
export function pureArguments({ mcpServers = {} }: PromptRequest): readonly string[] {
  const servers = Object.keys(mcpServers);
  return [
    ...["--approval-mode", "default", "--extensions", "none"],
    ...(servers.length === 0 ? ["none"] : servers).flatMap((server) => ["--allowed-mcp-server-names", server]),
    ...OWN_TOOLS.flatMap((tool) => ["--exclude-tools", tool]),
  ];
}

/**
 * Merged over the user's settings, of which the login must stay: 0.6 KB is sent to the API instead of 67 KB. The date and a
 * sentence about skills stay: no setting of 0.24.4 removes them.
 */
const PURE_SETTINGS = {
  $version: 4,
  agents: { crossSessionMessaging: false },
  context: { fileName: ["COXSWAIN-READS-NO-CONTEXT.md"], loadFromIncludeDirectories: false },
  disableAllHooks: true,
  dualOutput: { inputFile: "", jsonFile: "" },
  experimental: { cron: false },
  general: { checkpointing: { enabled: false }, enableAutoUpdate: false, preventSystemSleep: false },
  mcp: { serverCommand: "" },
  memory: { enableAutoSkill: false, enableManagedAutoDream: false, enableManagedAutoMemory: false, enableTeamMemory: false },
  // Its own retries take up to an hour; those that no setting limits take up to four minutes.
  model: {
    enableOpenAILogging: false,
    generationConfig: { maxRetries: 0 },
    maxSessionTurns: -1,
    skipNextSpeakerCheck: true,
    skipStartupContext: true,
  },
  privacy: { usageStatisticsEnabled: false },
  security: { folderTrust: { enabled: false } },
  skills: { disabledLevels: ["project", "user", "extension", "bundled"] },
  telemetry: { enabled: false },
  tools: { callCommand: "", core: ["none"], discoveryCommand: "", sandbox: false, useRipgrep: false },
  // Otherwise a resident process asks the model, from the second turn of a session on, what the user might type next.
  ui: { enableFollowupSuggestions: false },
} as const;

/** Qwen Code's own default for an unknown model; it requests less if it knows that the model has less. */
const OUTPUT_LIMIT = 32_000;

/** More tokens than Qwen Code counts for the longest prompt. */
const UNBOUNDED_WINDOW = 100_000_000;

/**
 * When an answer reaches Qwen Code's own limit, it asks the model to continue, up to five times; with the variable it
 * does not.
 */
export function pureVariables(request: PromptRequest, tempFiles: TempFile[]): Variables {
  const { maxOutputTokens, session } = request;
  const generationConfig = {
    ...PURE_SETTINGS.model.generationConfig,
    ...(maxOutputTokens !== undefined && { samplingParams: { max_tokens: maxOutputTokens } }),
    // Otherwise Qwen Code refuses a prompt that it considers too long for the model. It shortens a session, and that must stay.
    ...(session === undefined && { contextWindowSize: UNBOUNDED_WINDOW }),
  };
  const settings = { ...PURE_SETTINGS, model: { ...PURE_SETTINGS.model, generationConfig } };
  const path = addFile(tempFiles, "settings.json", JSON.stringify(settings));
  return { QWEN_CODE_SYSTEM_SETTINGS_PATH: path, QWEN_CODE_MAX_OUTPUT_TOKENS: String(maxOutputTokens ?? OUTPUT_LIMIT) };
}

/** Otherwise each run sends statistics to Alibaba Cloud, with retries for up to an hour; the user's own settings override these. */
const QUIET_DEFAULTS = {
  $version: 4,
  general: { enableAutoUpdate: false },
  model: { generationConfig: { maxRetries: 0 } },
  privacy: { usageStatisticsEnabled: false },
  ui: { enableFollowupSuggestions: false },
};

/** The settings of an agent besides the user's own. */
export function agentVariables({ maxOutputTokens }: PromptRequest, tempFiles: TempFile[]): Variables {
  const path = addFile(tempFiles, "defaults.json", JSON.stringify(QUIET_DEFAULTS));
  const limit: Variables = maxOutputTokens === undefined ? {} : { QWEN_CODE_MAX_OUTPUT_TOKENS: String(maxOutputTokens) };
  return { QWEN_CODE_SYSTEM_DEFAULTS_PATH: path, ...limit };
}
