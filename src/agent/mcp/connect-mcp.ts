import type { CallToolResult, Client, Tool, Transport } from "@modelcontextprotocol/client";
import { withoutResult } from "../../adapters/langchain/refusal.ts";
import { checkServers } from "../../request/settle.ts";
import { thrownMessage } from "../../spec/failure/failure.ts";
import type { RunError } from "../../spec/failure/run-error.ts";
import { defined, type JsonObject } from "../../spec/json.ts";
import type { McpServer } from "../../spec/request.ts";
import type { AgentTool } from "../agent-tool.ts";
import { ServerProcess } from "./server-process.ts";

/** The tools of MCP servers, until they are closed. */
export type McpTools = {
  readonly tools: readonly AgentTool<never>[];
  /** Ends the connections and the processes of the servers. */
  close(): Promise<void>;
};

type Loaded = typeof import("@modelcontextprotocol/client");
type Connected = { readonly name: string; readonly client: Client; readonly tools: readonly Tool[] };

/** How long a server may take to start and to list its tools. */
const CONNECT_MS = 60_000;

/**
 * Connects to MCP servers and makes agent tools of their tools, named `server__tool`. Rejects with a RunError that names the server if one
 * is not available; the others are closed then. `onConnected` gets the name of each server that is ready.
 */
export async function connectMcp(
  servers: Readonly<Record<string, McpServer>>,
  signal?: AbortSignal,
  onConnected?: (name: string) => void,
): Promise<McpTools> {
  checkServers("connectMcp", servers);
  // Most programs use no MCP server, and the package takes longer to load than all others.
  const loaded = await import("@modelcontextprotocol/client");
  const settled = await Promise.allSettled(
    Object.entries(servers).map(async ([name, server]) => {
      const one = await connect(loaded, name, server, signal);
      onConnected?.(name);
      return one;
    }),
  );
  const connected = settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const close = async (): Promise<void> => {
    await Promise.all(connected.map(({ client }) => client.close().catch(() => undefined)));
  };
  const failed = settled.find((one) => one.status === "rejected");
  if (failed !== undefined) {
    await close();
    throw failed.reason;
  }
  return { tools: connected.flatMap(({ name, client, tools }) => tools.map((tool) => toAgentTool(name, client, tool))), close };
}

async function connect(loaded: Loaded, name: string, server: McpServer, signal: AbortSignal | undefined): Promise<Connected> {
  const client = new loaded.Client({ name: "coxswain", version: "0" });
  const transport = openTransport(loaded, server);
  const options = defined({ timeout: CONNECT_MS, signal });
  try {
    await client.connect(transport, options);
    const { tools } = await client.listTools(undefined, options);
    return { name, client, tools };
  } catch (error) {
    await client.close().catch(() => undefined);
    await transport.close().catch(() => undefined);
    throw unavailable(name, whyOf(loaded, error), transport instanceof ServerProcess ? transport.lastWords() : undefined);
  }
}

function whyOf({ SdkError, SdkErrorCode }: Loaded, error: unknown): string {
  const isTimeout = error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
  return isTimeout ? `it did not answer within ${CONNECT_MS / 1000} seconds` : thrownMessage(error);
}

function unavailable(name: string, why: string, printed: string | undefined): RunError {
  const said = printed === undefined ? "" : ` It printed: ${printed}`;
  const hint = "Check that the server starts, and its entry in the file of MCP servers.";
  return withoutResult("mcp-server-unavailable", `The MCP server ${name} is not available: ${why}.${said}`, { hint });
}

function openTransport({ StreamableHTTPClientTransport, SSEClientTransport }: Loaded, server: McpServer): Transport {
  if ("command" in server) return new ServerProcess(server);
  const options = { requestInit: { headers: { ...server.headers } } };
  const url = new URL(server.url);
  return server.type === "http" ? new StreamableHTTPClientTransport(url, options) : new SSEClientTransport(url, options);
}

function toAgentTool(server: string, client: Client, tool: Tool): AgentTool<never> {
  const run = async (args: JsonObject, { signal }: { readonly signal: AbortSignal }): Promise<unknown> =>
    // The time limit is that of the agent, so the client's own is out of reach.
    toOutput((await client.callTool({ name: tool.name, arguments: args }, { signal, timeout: 2 ** 31 - 1 })) as CallToolResult);
  return {
    name: toName(server, tool.name),
    ...(tool.description !== undefined && { description: tool.description }),
    parameters: tool.inputSchema,
    // The user chose the server, so its word about its own tool counts.
    readOnly: tool.annotations?.readOnlyHint === true,
    run: run as never,
  };
}

/** Services allow 64 letters, digits, hyphens and underscores in the name of a tool. */
function toName(server: string, tool: string): string {
  return `${server}__${tool}`.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, 64);
}

/** The text of a result; with an image, its blocks. A result that is an error is thrown. */
function toOutput({ content, isError }: CallToolResult): unknown {
  const blocks = content.map((block) => {
    if (block.type === "text") return { type: "text", text: block.text };
    if (block.type === "image") return { type: "image", mimeType: block.mimeType, data: block.data };
    return { type: "text", text: JSON.stringify(block) };
  });
  const text = blocks.map((block) => ("text" in block ? block.text : "")).join("\n");
  if (isError === true) throw new Error(text);
  return blocks.every(({ type }) => type === "text") ? text : blocks;
}
