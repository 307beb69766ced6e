import type { ProjectStart } from "../../spec/provider/provider-facts.ts";
import type { PromptRequest } from "../../spec/request.ts";

/** What Copilot starts in a project that is trusted; agents, with their MCP servers, in every project. */
export const COPILOT_PROJECT: readonly ProjectStart[] = [
  { file: ".mcp.json", keys: ["mcpServers"] },
  { file: ".github/mcp.json", keys: ["mcpServers"] },
  { file: ".github/copilot/settings.json", keys: ["hooks", "mcpServers", "enabledPlugins", "extraKnownMarketplaces"] },
  { file: ".github/copilot/settings.local.json", keys: ["hooks", "mcpServers", "enabledPlugins", "extraKnownMarketplaces"] },
  { file: ".claude/settings.json", keys: ["hooks"] },
  { file: ".claude/settings.local.json", keys: ["hooks"] },
  { folder: ".github/hooks" },
  { folder: ".github/agents" },
  { folder: ".claude/agents" },
  { folder: ".github/extensions" },
];

/** The tools by which the model starts agents. */
const AGENT_TOOLS = "task,write_agent,read_agent,list_agents";

/**
 * Without trust Copilot (1.0.102) reads no hooks, MCP servers and extensions of a project, but its agents, also those that replace the agents `explore` or
 * `task`, and starts their MCP servers: the model gets no tool that starts agents. The flag for trust holds for a new session alone.
 */
export function projectArguments({ trustProject, session = { keep: true } }: PromptRequest): readonly string[] {
  if (trustProject !== true) return [`--excluded-tools=${AGENT_TOOLS}`];
  return "resume" in session ? [] : ["--trust-folder"];
}
