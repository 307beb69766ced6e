import type { LaunchParts } from "../../spec/provider/provider.ts";
import type { ProjectStart } from "../../spec/provider/provider-facts.ts";
import type { PromptRequest } from "../../spec/request.ts";

const SETTINGS: readonly string[] = [
  ...["hooks", "apiKeyHelper", "awsAuthRefresh", "awsCredentialExport", "gcpAuthRefresh", "otelHeadersHelper"],
  ...["statusLine", "subagentStatusLine", "fileSuggestion", "env", "enabledPlugins", "extraKnownMarketplaces"],
];

/** What Claude Code starts in a project: at its start, or when its model uses a skill, a command or an agent. */
export const CLAUDE_PROJECT: readonly ProjectStart[] = [
  { file: ".claude/settings.json", keys: SETTINGS },
  { file: ".claude/settings.local.json", keys: SETTINGS },
  { file: ".mcp.json", keys: ["mcpServers"] },
  { folder: ".claude/agents" },
  { folder: ".claude/commands" },
  { folder: ".claude/skills" },
];

/**
 * What keeps an agent from a project that is not trusted. With the user's settings alone Claude Code (2.1.197, 2.1.326) reads no settings, servers of
 * `.mcp.json`, agents, skills, commands and plugins of the project; hooks, servers, skills and CLAUDE.md of the user stay. CLAUDE.md of the directory is
 * text: it is read as that of an additional directory, of which Claude Code then reads nothing else.
 */
export function projectParts({ trustProject, cwd = "." }: PromptRequest): Required<Pick<LaunchParts, "args" | "env">> {
  if (trustProject === true) return { args: [], env: {} };
  return {
    args: ["--add-dir", cwd, "--setting-sources", "user"],
    env: { CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD: "1" },
  };
}
