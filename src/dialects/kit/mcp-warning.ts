import type { EventDraft } from "../../spec/wire/events.ts";

/** The warning that an MCP server is not available, with the status that the CLI reported. */
export function serverUnavailable(server: string, status: string): EventDraft {
  return { type: "warning", code: "mcp-server-unavailable", message: `MCP server "${server}" is ${status}.`, server };
}
