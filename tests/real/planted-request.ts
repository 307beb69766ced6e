import type { Provider } from "../../src/spec/provider/provider.ts";
import type { McpServers, RunRequest } from "../../src/spec/request.ts";

/** A completion whose variables, MCP servers (if the CLI takes any), system prompt (likewise) and prompt contain the secret. */
export function plantedRequest(secret: string, { options, traits }: Provider): RunRequest {
  return {
    prompt: `Keep ${secret}-prompt.`,
    ...(traits.systemPrompt !== "none" && { system: `Know ${secret}-system.` }),
    env: { NOTE_OF_MINE: `${secret}-env` },
    ...(options.includes("mcp-stdio") && { mcpServers: plantedServers(secret) }),
  };
}

/** One server that does not start, and one that nobody can reach: a CLI reports both. */
function plantedServers(secret: string): McpServers {
  return {
    near: { command: process.execPath, args: ["-e", "process.exit(1)"], env: { NOTE: `${secret}-mcp` } },
    far: { type: "http", url: "http://127.0.0.1:9/mcp", headers: { "X-Note": `${secret}-header` } },
  };
}
