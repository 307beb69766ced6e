import type { JsonObject } from "../../spec/json.ts";
import type { McpServer, McpServers } from "../../spec/request.ts";

/** Each server in the form of one CLI, under its name; `required` is Coxswain's own. */
export function mapServers(servers: McpServers, form: (server: McpServer, name: string) => JsonObject): JsonObject {
  const entries = Object.entries(servers).map(([name, { required: _, ...server }]) => [name, form(server, name)] as const);
  return Object.fromEntries(entries);
}

/** The form of `.mcp.json`, which Claude Code and others read. */
export function toPlainServers(servers: McpServers): JsonObject {
  return mapServers(servers, (server) => ({ ...server }));
}

/** The form of Gemini and of Qwen Code, for which `url` is a server over SSE; `settingsOf` adds settings by the name of the server. */
export function toGeminiServers(servers: McpServers, settingsOf: (name: string) => JsonObject): JsonObject {
  return mapServers(servers, (server, name) => {
    const settings = settingsOf(name);
    if (!("url" in server)) return { ...server, ...settings };
    const { type, url, headers = {} } = server;
    return { ...(type === "http" ? { httpUrl: url } : { url }), headers, ...settings };
  });
}
