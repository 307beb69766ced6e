import { fromJsonSchema, McpServer, type ServerContext } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { JsonObject } from "../spec/json.ts";
import { askTool } from "./ask-tool.ts";
import { AskedConversations } from "./asked-conversations.ts";
import { compareTool } from "./compare-tool.ts";
import { healthTool, modelsTool } from "./list-tools.ts";
import type { McpHost, McpTool } from "./mcp-host.ts";
import { sessionTool } from "./session-tool.ts";

/** A message may hold a prompt of 10 MB, escaped as JSON. */
const LONGEST_MESSAGE = 64 * 1024 * 1024;

const INSTRUCTIONS =
  "Coxswain asks other AI CLIs of this machine, with the logins of the user. Use ask for a second opinion, compare for several at once, session for a conversation, models and health to see what can be asked. A prompt must be complete: the other CLI does not see this conversation.";

/** Serves the tools over stdin and stdout; resolves when stdin has ended, stdout cannot be written, or the signal aborts. Open calls are aborted then. */
export async function serveMcp(host: McpHost, version: string, signal: AbortSignal): Promise<void> {
  const asked = new AskedConversations();
  const tools = [askTool(host, asked), compareTool(host), sessionTool(host, asked), healthTool(host), modelsTool(host)];
  const transport = new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: LONGEST_MESSAGE });
  const handle = serveStdio(() => createServer(tools, version), { transport });
  await new Promise<void>((resolve) => {
    const { onclose } = transport;
    transport.onclose = () => {
      onclose?.();
      resolve();
    };
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  await handle.close();
}

function createServer(tools: readonly McpTool[], version: string): McpServer {
  const server = new McpServer({ name: "coxswain", title: "Coxswain", version }, { instructions: INSTRUCTIONS });
  for (const tool of tools) register(server, tool);
  return server;
}

function register(server: McpServer, { name, title, description, input, output, isReadOnly, call }: McpTool): void {
  const about = {
    title,
    description,
    inputSchema: fromJsonSchema<JsonObject>(input),
    outputSchema: fromJsonSchema<JsonObject>(output),
    annotations: { readOnlyHint: isReadOnly, openWorldHint: true },
  };
  server.registerTool(name, about, async (args, context) => {
    const { text, data, isError } = await call(args, { signal: context.mcpReq.signal, ...progressOf(context) });
    return { content: [{ type: "text", text }], structuredContent: data, isError };
  });
}

/** Progress is reported only to a client that has given a token for it; the number rises with each report. */
function progressOf({ mcpReq }: ServerContext): { progress?: (message: string) => void } {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return {};
  let progress = 0;
  return {
    progress: (message) => {
      progress += 1;
      const params = { progressToken, progress, message };
      // A client that has gone is noticed by the transport.
      mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined);
    },
  };
}
