import type { McpServers, PromptRequest } from "../../spec/request.ts";

export function freeServerName(servers: McpServers = {}): string {
  let name = "host";
  for (let number = 2; Object.hasOwn(servers, name); number += 1) name = `host${number}`;
  return name;
}

/** The request with a bridge as a plan shows it: its port, path and token are chosen when the run begins. */
export function withPlannedBridge(request: PromptRequest): PromptRequest {
  const hostServer = freeServerName(request.mcpServers);
  const server = { type: "http", url: "http://127.0.0.1:0/", headers: { Authorization: "Bearer (of the run)" } } as const;
  return { ...request, mcpServers: { ...request.mcpServers, [hostServer]: server }, hostServer };
}
