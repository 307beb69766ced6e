import { fromJsonSchema, McpServer, type ServerContext } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { JsonObject } from "../spec/json.ts";
import type { McpTool } from "./mcp-tool.ts";

/** A message may hold a prompt of 10 MB, escaped as JSON. */
const LONGEST_MESSAGE = 64 * 1024 * 1024;

/** How the server presents itself, and what ends it. */
export type ServeOptions = { readonly version: string; readonly instructions: string; readonly signal: AbortSignal };

/** Serves the tools over stdin and stdout; resolves when stdin has ended, stdout cannot be written, or the signal aborts. Open calls are aborted then. */
export async function serveMcp(tools: readonly McpTool[], options: ServeOptions): Promise<void> {
  const { signal } = options;
  const transport = new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: LONGEST_MESSAGE });
  const handle = serveStdio(() => createServer(tools, options), { transport });
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

function createServer(tools: readonly McpTool[], { version, instructions }: ServeOptions): McpServer {
  const server = new McpServer({ name: "coxswain", title: "Coxswain", version }, { instructions });
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
