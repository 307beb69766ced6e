import type { JsonObject, JsonValue } from "../../spec/json.ts";
import type { McpConfig } from "../../spec/provider/provider.ts";
import type { McpServer, McpServers, PromptRequest } from "../../spec/request.ts";
import { LONGEST_CALL_MS } from "../shared/bridged-tools.ts";
import { mapServers } from "../shared/mcp-servers.ts";
import { agentRules, allowServers, pureRules } from "./permissions.ts";
import { projectSettings } from "./project.ts";

/**
 * Our agent, which every run names. For an unknown agent OpenCode uses its default agent, with all tools. A project that knew the name could replace the rules of
 * the agent, so the name is another one in each host process.
 */
export const OPENCODE_AGENT: string = `coxswain-${crypto.randomUUID()}`;

/** The configuration of one run as JSON: in agent mode it is merged over the user's own, otherwise it is nearly the only one. */
export function opencodeConfig(request: PromptRequest, model: string | undefined): string {
  const isAgent = request.mode === "agent";
  const servers = Object.keys(request.mcpServers ?? {});
  const hostServers = request.hostServer === undefined ? [] : [request.hostServer];
  const permission = isAgent ? { ...agentRules(request), ...allowServers(hostServers) } : pureRules(servers);
  // A completion without a system prompt gets a blank one; without it OpenCode would send its own.
  const prompt = request.system || (isAgent ? undefined : " ");
  const agent = { mode: "primary", permission, ...(prompt !== undefined && { prompt }) };
  return withoutReferences({
    $schema: "https://opencode.ai/config.json",
    share: "disabled",
    autoupdate: false,
    ...(isAgent && projectSettings(request)),
    agent: { [OPENCODE_AGENT]: agent },
    // Without this OpenCode falls back to its hosted service; with it only a target that names the service uses it.
    ...(model?.startsWith("opencode/") === true ? {} : { provider: { opencode: { whitelist: [] } } }),
    ...(request.mcpServers === undefined ? {} : { mcp: mapServers(request.mcpServers, settingFor(request)) }),
  });
}

/** The models and providers of the user's inline configuration; the whole text if it is no plain JSON. */
export function pickModelSettings(content: string): string {
  const kept = ["$schema", "provider", "model", "small_model", "enabled_providers", "disabled_providers"];
  try {
    const settings: JsonObject = JSON.parse(content);
    return JSON.stringify(Object.fromEntries(Object.entries(settings).filter(([key]) => kept.includes(key))));
  } catch {
    return content;
  }
}

/** OpenCode replaces `{env:NAME}` and `{file:path}` in the text of a configuration; in the caller's text they must stay. */
function withoutReferences(config: JsonValue): string {
  return JSON.stringify(config).replace(/\{(?=env:|file:)/g, "\\u007b");
}

/** The servers as OpenCode gets them, among its other settings. */
export function opencodeMcpConfig(servers: McpServers): McpConfig {
  return { place: "OPENCODE_CONFIG", content: withoutReferences({ mcp: mapServers(servers, mcpSetting) }) };
}

/** Otherwise OpenCode ends calls of host tools after a minute. */
function settingFor({ hostServer }: PromptRequest): (server: McpServer, name: string) => JsonObject {
  return (server, name) => ({ ...mcpSetting(server), ...(name === hostServer && { timeout: LONGEST_CALL_MS }) });
}

function mcpSetting(server: McpServer): JsonObject {
  if ("url" in server) return { type: "remote", url: server.url, headers: server.headers ?? {}, enabled: true };
  return { type: "local", command: [server.command, ...(server.args ?? [])], environment: server.env ?? {}, enabled: true };
}
