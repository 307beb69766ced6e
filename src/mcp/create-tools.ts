import { askTool } from "./ask-tool.ts";
import { AskedConversations } from "./asked-conversations.ts";
import { compareTool } from "./compare-tool.ts";
import { healthTool, modelsTool } from "./list-tools.ts";
import type { McpHost } from "./mcp-host.ts";
import type { McpTool } from "./mcp-tool.ts";
import { sessionTool } from "./session-tool.ts";

/** What a client is told about the server. */
export const INSTRUCTIONS =
  "Coxswain asks other AI CLIs of this machine, with the logins of the user. Use ask for a second opinion, compare for several at once, session for a conversation, models and health to see what can be asked. A prompt must be complete: the other CLI does not see this conversation.";

export function createTools(host: McpHost): readonly McpTool[] {
  const asked = new AskedConversations();
  return [askTool(host, asked), compareTool(host), sessionTool(host, asked), healthTool(host), modelsTool(host)];
}
