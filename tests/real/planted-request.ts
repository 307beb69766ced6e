import type { Provider } from "../../src/spec/provider/provider.ts";
import type { McpServers, RunRequest } from "../../src/spec/request.ts";

/** How a CLI works for a request with planted secrets: for one answer, as an agent, or in a process that answers several times. */
export type PlantedWay = "completion" | "agent" | "warm";

/** What is planted, in which way, and the directory of an agent. */
export type Planted = { readonly secret: string; readonly way: PlantedWay; readonly workspace: string };

/** A request whose variables, MCP servers (if the CLI takes any there), system prompt (likewise) and prompt contain the secret. */
export function plantedRequest({ secret, way, workspace }: Planted, { id, options, traits }: Provider): RunRequest {
  return {
    prompt: `Keep ${secret}-prompt.`,
    ...(traits.systemPrompt !== "none" && { system: `Know ${secret}-system.` }),
    env: { NOTE_OF_MINE: `${secret}-env` },
    ...(options.includes("mcp-stdio") && takesServers(way, id) && { mcpServers: plantedServers(secret) }),
    ...(way === "agent" && { mode: "agent", cwd: workspace, permissions: { mode: "bypass" } }),
  };
}

/** Some warm processes take no servers, so that a new one would answer, and an agent of Gemini takes none. */
function takesServers(way: PlantedWay, provider: string): boolean {
  return way === "completion" || (way === "agent" && provider !== "gemini");
}

/** One server that does not start, and one that nobody can reach: a CLI reports both. */
function plantedServers(secret: string): McpServers {
  return {
    near: { command: process.execPath, args: ["-e", "process.exit(1)"], env: { NOTE: `${secret}-mcp` } },
    far: { type: "http", url: "http://127.0.0.1:9/mcp", headers: { "X-Note": `${secret}-header` } },
  };
}

/** How many answers come before the end: from the second one on a process is kept. */
export function answersBefore(way: PlantedWay): number {
  return way === "warm" ? 2 : 0;
}
