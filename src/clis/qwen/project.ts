import type { TempFile, Variables } from "../../spec/provider/cli-data.ts";
import type { LaunchOptions } from "../../spec/provider/provider.ts";
import type { ProjectStart } from "../../spec/provider/provider-facts.ts";
import type { PromptRequest } from "../../spec/request.ts";
import { hideProject, ONLY_HIDDEN } from "../shared/hide-project.ts";

const SETTINGS: readonly string[] = [
  ...["hooks", "mcpServers", "mcp.serverCommand", "tools.discoveryCommand", "tools.callCommand", "tools.sandbox"],
  ...["env", "modelProviders", "security.auth", "telemetry", "permissions"],
];

/** What Qwen Code starts in a project, or reads to start it: at its start, or when its model uses a skill, a command or an agent. */
export const QWEN_PROJECT: readonly ProjectStart[] = [
  { file: ".qwen/settings.json", keys: SETTINGS },
  { file: ".qwen/settings.local.json", keys: SETTINGS },
  { file: ".mcp.json", keys: ["mcpServers"] },
  { file: ".lsp.json" },
  { file: ".qwen/.env" },
  { file: ".env" },
  { folder: ".qwen/agents" },
  { folder: ".qwen/commands" },
  { folder: ".qwen/extensions" },
  { folder: ".qwen/hooks" },
  { folder: ".qwen/skills" },
  { folder: ".qwen/workflows" },
  { folder: ".agents/skills" },
];

/**
 * The variables that keep an agent from a project that is not trusted. Qwen Code's own untrusted mode (0.15.10, 0.24.4) has neither the servers of the request nor
 * other modes than the default.
 */
export function projectVariables({ trustProject }: PromptRequest, { env }: LaunchOptions, tempFiles: TempFile[]): Variables {
  if (trustProject === true) return {};
  const names = [".qwen", ".agents", ".claude", ".mcp.json", ".lsp.json"];
  const hidden = hideProject({ names, homes: ["QWEN_HOME"], packages: ["@qwen-code/qwen-code"] }, env);
  tempFiles.push(hidden.file);
  return hidden.env;
}

/** Its own command line (0.15.10, 0.24.4) refuses this argument before it starts anything, unless the project is hidden. */
export function projectArguments({ mode, trustProject }: PromptRequest): readonly string[] {
  return mode === "agent" && trustProject !== true ? [ONLY_HIDDEN] : [];
}
