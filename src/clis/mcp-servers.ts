import type { JsonObject } from "../spec/json.ts";
import type { McpServer, McpServers } from "../spec/request.ts";

/** Each server in the form of one CLI, under its name; `required` is Coxswain's own. */
export function mapServers(servers: McpServers, form: (server: McpServer) => JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(servers).map(([name, { required: _, ...server }]) => [name, form(server)] as const));
}

/** The form of `.mcp.json`, which Claude Code and others read. */
export function toPlainServers(servers: McpServers): JsonObject {
  return mapServers(servers, (server) => ({ ...server }));
}

/** The form of Gemini and of Qwen Code, for which `url` is a server over SSE. */
export function toGeminiServers(servers: McpServers, isTrusted: boolean): JsonObject {
  const trust: JsonObject = isTrusted ? { trust: true } : {};
  return mapServers(servers, (server) => {
    if (!("url" in server)) return { ...server, ...trust };
    const { type, url, headers = {} } = server;
    return { ...(type === "http" ? { httpUrl: url } : { url }), headers, ...trust };
  });
}
