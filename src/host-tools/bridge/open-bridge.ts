import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { NativeTool } from "../../spec/message.ts";
import type { McpServer } from "../../spec/request.ts";
import { answerRequests } from "./answer-requests.ts";
import { type CallHost, HostCalls, toToolList } from "./host-calls.ts";

export type BridgeOptions = {
  /** Their names are those that the CLI takes. */
  readonly tools: readonly NativeTool[];
  readonly call: CallHost;
  /** The largest result in bytes; a larger one becomes a tool error that names its size. 1 MB by default. */
  readonly maxResultBytes?: number;
  /** The arguments that the CLI adds to every tool; they are left out of the calls. */
  readonly addedArguments?: readonly string[];
  /** What the model is told about the tools, by their names in the list. */
  readonly instructions?: ((names: readonly string[]) => string) | undefined;
};

/** A server in this process that offers the caller's functions to one running CLI as MCP tools. */
export type Bridge = {
  /** The server as the CLI needs it; its address and its token are new for each bridge. */
  readonly server: Extract<McpServer, { readonly url: string }>;
  /** The callers' names of the tools by the names in the list that the CLI gets. */
  readonly callersNames: ReadonlyMap<string, string>;
  /** Resolves with true when the CLI has got the list of tools, with false if the bridge was closed before. */
  readonly ready: Promise<boolean>;
  /** Ends all calls and leaves no socket and no timer. */
  close(): Promise<void>;
};

const MOST_RESULT_BYTES = 1024 * 1024;
const MOST_CONNECTIONS = 128;
const MOST_HEADERS_MS = 10_000;
const MOST_REQUEST_MS = 60_000;

/** Opens a bridge on the loopback interface; throws a TypeError for a tool whose schema cannot be used. */
export async function openBridge({ tools, call, ...options }: BridgeOptions): Promise<Bridge> {
  const { maxResultBytes = MOST_RESULT_BYTES, addedArguments = [] } = options;
  const list = toToolList(tools);
  const instructions = options.instructions?.([...list.callersNames.keys()]);
  const ending = new AbortController();
  const calls = new HostCalls({ tools: list, call, signal: ending.signal, maxResultBytes, addedArguments });
  const http = createServer({ headersTimeout: MOST_HEADERS_MS, requestTimeout: MOST_REQUEST_MS });
  http.maxConnections = MOST_CONNECTIONS;
  http.listen({ host: "127.0.0.1", port: 0 });
  await once(http, "listening");
  // The run keeps this process alive. A bridge without a run must not, nor the connections of calls that wait for a later run.
  http.unref();
  http.on("connection", (socket) => socket.unref());
  const { port } = http.address() as AddressInfo;
  const door = { host: `127.0.0.1:${port}`, path: `/${secret()}`, token: secret() };
  const { promise: ready, resolve: setReady } = Promise.withResolvers<boolean>();
  http.on("request", answerRequests({ door, tools: list.listed, instructions, calls, onListed: () => setReady(true) }));
  const close = async (): Promise<void> => {
    ending.abort();
    setReady(false);
    await closeServer(http);
  };
  const headers = { Authorization: `Bearer ${door.token}` };
  const server = { type: "http", url: `http://${door.host}${door.path}`, headers } as const;
  return { server, callersNames: list.callersNames, ready, close };
}

function secret(): string {
  return randomBytes(24).toString("base64url");
}

async function closeServer(http: Server): Promise<void> {
  if (!http.listening) return;
  const closed = once(http, "close");
  http.close();
  http.closeAllConnections();
  await closed;
}
