import { checkSchema } from "../../config/check-config.ts";
import type { JsonMistake } from "../../config/json-text.ts";
import { isJsonObject, type JsonObject, type JsonValue, objectOf } from "../../spec/json.ts";
import type { McpServer } from "../../spec/request.ts";
import { UsageError } from "../usage-error.ts";
import { mistakeIn, readJsonFile } from "./read-file.ts";

const TEXT: JsonObject = { type: "string" };
const FLAG: JsonObject = { type: "boolean" };
const WORD: JsonObject = { type: "string", minLength: 1 };
const TEXTS: JsonObject = { type: "object", additionalProperties: TEXT };
const FILE: JsonObject = {
  type: "object",
  additionalProperties: false,
  required: ["mcpServers"],
  properties: { mcpServers: { type: "object", additionalProperties: { type: "object" } } },
};
const PROGRAM: JsonObject = {
  type: "object",
  additionalProperties: false,
  required: ["command"],
  properties: {
    type: { type: "string", enum: ["stdio"] },
    command: WORD,
    args: { type: "array", items: TEXT },
    env: TEXTS,
    required: FLAG,
  },
};
const SERVICE: JsonObject = {
  type: "object",
  additionalProperties: false,
  required: ["type", "url"],
  properties: { type: { type: "string", enum: ["http", "sse"] }, url: WORD, headers: TEXTS, required: FLAG },
};

/** The MCP servers of these files, which have the form of Claude Code's `.mcp.json`; a mistake is a usage error with its place. */
export function readMcpFiles(paths: readonly string[]): Readonly<Record<string, McpServer>> {
  const servers: Record<string, McpServer> = {};
  for (const path of paths) {
    for (const [name, server] of readServers(path)) {
      if (Object.hasOwn(servers, name))
        throw new UsageError(`${path} has the MCP server "${name}" again.`, "Give each server its own name.");
      Object.defineProperty(servers, name, { value: server, enumerable: true });
    }
  }
  return servers;
}

const HINT = 'Write {"mcpServers": {"name": {"command": "…", "args": […]}}}, or a server with "type" and "url".';

function readServers(path: string): readonly (readonly [string, McpServer])[] {
  const { value, place } = readJsonFile(path, HINT);
  const servers = Object.entries(objectOf(objectOf(value)?.["mcpServers"]) ?? {});
  const [first] = checkFile(value, servers);
  if (first !== undefined) throw mistakeIn(path, place(first), HINT);
  return servers.map(([name, given]) => {
    // The schema was checked, so the value has this type.
    const { type, ...server } = given as { readonly type?: string } & Record<string, unknown>;
    return [name, (type === undefined || type === "stdio" ? server : { type, ...server }) as McpServer];
  });
}

function checkFile(value: JsonValue, servers: readonly (readonly [string, JsonValue])[]): readonly JsonMistake[] {
  const mistakes = checkSchema(FILE, value);
  if (mistakes.length > 0) return mistakes;
  return servers.flatMap(([name, server]) => {
    const schema = isJsonObject(server) && Object.hasOwn(server, "url") ? SERVICE : PROGRAM;
    return checkSchema(schema, server, { path: ["mcpServers", name], where: `mcpServers.${name}` });
  });
}
