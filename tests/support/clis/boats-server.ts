import { fileURLToPath } from "node:url";
import type { McpServer } from "../../../src/spec/request.ts";

/** The entry of the MCP server about boats, with these variables for it. */
export function boatsServer(env: Readonly<Record<string, string>> = {}): McpServer {
  const program = fileURLToPath(new URL("programs/turns/boats-server.mjs", import.meta.url));
  return { command: process.execPath, args: [program], env };
}
