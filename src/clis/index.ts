import type { McpConfig, Provider } from "../spec/provider/provider.ts";
import type { McpServers } from "../spec/request.ts";
import { axGlm, axGrok } from "./ax/provider.ts";
import { claude } from "./claude/provider.ts";
import { codex } from "./codex/provider.ts";
import { copilot } from "./copilot/provider.ts";
import { gemini } from "./gemini/provider.ts";
import { glm } from "./glm/provider.ts";
import { grok } from "./grok/provider.ts";
import { grokVibe } from "./grok-vibe/provider.ts";
import { opencode } from "./opencode/provider.ts";
import { qwen } from "./qwen/provider.ts";
import { rehearsal } from "./rehearsal/provider.ts";

/** Every provider that ships with the package, in order of preference. */
export const builtinProviders: readonly Provider[] = [
  ...[claude, codex, gemini, qwen, opencode, copilot, grok, glm],
  ...[grokVibe, axGlm, axGrok, rehearsal],
];

/**
 * The MCP servers in the form in which a CLI gets them from a run. The content may have the secrets of the servers. Throws a TypeError
 * for an unknown provider, and for one that takes no MCP servers.
 */
export function toMcpConfig(provider: string | Provider, servers: McpServers): McpConfig {
  const found = typeof provider === "string" ? findBuiltin(provider) : provider;
  if (found === undefined) throw new TypeError(`There is no provider ${JSON.stringify(provider)}.`);
  if (found.mcpConfig === undefined) throw new TypeError(`${found.label} takes no MCP servers.`);
  return found.mcpConfig(servers);
}

function findBuiltin(name: string): Provider | undefined {
  return builtinProviders.find(({ id, aliases }) => id === name || aliases.includes(name));
}
