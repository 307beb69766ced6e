import type { TempFile, Variables } from "../../spec/provider/cli-data.ts";
import type { LaunchOptions } from "../../spec/provider/provider.ts";
import type { ProjectStart } from "../../spec/provider/provider-facts.ts";
import type { PromptRequest } from "../../spec/request.ts";
import { hideProject } from "../shared/hide-project.ts";

const SETTINGS: readonly string[] = [
  ...["hooks", "mcpServers", "mcp.serverCommand", "tools.discoveryCommand", "tools.callCommand", "tools.sandbox"],
  ...["telemetry", "security.auth", "experimental.gemmaModelRouter"],
];

/** What Gemini starts in a project, or reads to start it: at its start, or when its model uses a skill, a command or an agent. */
export const GEMINI_PROJECT: readonly ProjectStart[] = [
  { file: ".gemini/settings.json", keys: SETTINGS },
  { file: ".gemini/.env" },
  { file: ".env" },
  { folder: ".gemini/agents" },
  { folder: ".gemini/commands" },
  { folder: ".gemini/extensions" },
  { folder: ".gemini/policies" },
  { folder: ".gemini/skills" },
  { folder: ".agents/skills" },
];

/**
 * The variables that keep an agent from a project that is not trusted. Gemini's own untrusted mode (0.61.0) does not start headless, and its protocol for hosts
 * has there neither the user's hooks and servers nor GEMINI.md nor other modes than the default. It stays on until the project is hidden.
 */
export function projectVariables({ trustProject }: PromptRequest, { env }: LaunchOptions, tempFiles: TempFile[]): Variables {
  if (trustProject === true) return {};
  const afterwards = { GEMINI_CLI_TRUST_WORKSPACE: "true" };
  const hidden = hideProject(
    { names: [".gemini", ".agents"], homes: ["GEMINI_CLI_HOME"], packages: ["@google/gemini-cli"], afterwards },
    env,
  );
  tempFiles.push(hidden.file);
  return { ...hidden.env, GEMINI_CLI_TRUST_WORKSPACE: "false" };
}
