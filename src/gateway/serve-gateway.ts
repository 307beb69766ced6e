import { setMaxListeners } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { isAmbiguousPath, isLoopback } from "./check-access.ts";
import { createGateway, type GatewayApp } from "./create-gateway.ts";
import type { GatewayOptions } from "./gateway-options.ts";

/** The options of a gateway with a server of its own. */
export type ServeOptions = Omit<GatewayOptions, "signal" | "draining"> & {
  /** The address to listen at; 127.0.0.1 by default. */
  readonly host?: string;
  /** 0 chooses a free port. */
  readonly port: number;
  readonly server?: ServerLimits;
};

export type ServerLimits = {
  /** How long the head of a request may take to arrive, in milliseconds; 10,000 by default. */
  readonly headMs?: number;
  /** The most bytes of a request's head; 32 kB by default. */
  readonly headBytes?: number;
};

export type ServedGateway = {
  readonly url: string;
  readonly port: number;
  /**
   * Takes no new connection and no new request, refuses those that wait for a place, waits until the answers in progress have ended, cancels
   * them after `drainMs`, and resolves when all connections are closed. A second call cancels them at once. The client stays open.
   */
  close(drainMs?: number): Promise<void>;
};

/**
 * Serves a gateway by HTTP. Rejects if the port is in use. Throws a TypeError if `token` is false and the address is not one of the
 * loopback interface.
 */
export async function serveGateway(options: ServeOptions): Promise<ServedGateway> {
  const { host = "127.0.0.1", port, server: connections = {}, ...gateway } = options;
  if (options.token === false && !isLoopback(host))
    throw new TypeError(`A gateway without a token may listen on the loopback interface only, not on ${host}.`);
  const cancelling = new AbortController();
  const draining = new AbortController();
  setMaxListeners(0, cancelling.signal, draining.signal);
  const hosts = [...(options.hosts ?? []), host.includes(":") ? `[${host}]` : host];
  const app = createGateway({ ...gateway, hosts, signal: cancelling.signal, draining: draining.signal });
  const server = createHttpServer(app.fetch, connections);
  await listen(server, host, port);
  const address = server.address() as AddressInfo;
  let closed: Promise<void> | undefined;
  return {
    url: `http://${address.family === "IPv6" ? `[${address.address}]` : address.address}:${address.port}`,
    port: address.port,
    close: (drainMs = 0) => {
      if (draining.signal.aborted) cancelling.abort();
      draining.abort();
      closed ??= closeServer(server, drainMs, cancelling);
      return closed;
    },
  };
}

function createHttpServer(fetch: GatewayApp["fetch"], { headMs = 10_000, headBytes = 32 * 1024 }: ServerLimits): Server {
  // The globals of a program that uses the library stay as they are.
  const answer = getRequestListener(fetch, { overrideGlobalObjects: false, errorHandler: () => malformed() });
  const server = createServer(
    {
      headersTimeout: headMs,
      // The body has a limit of its own; this one holds for requests that no handler reads.
      requestTimeout: 300_000,
      connectionsCheckingInterval: Math.min(1000, headMs),
      maxHeaderSize: headBytes,
      // Clients reuse connections; one that the server closes at the same moment would fail their request.
      keepAliveTimeout: 75_000,
    },
    checkTarget(answer),
  );
  server.on("clientError", refuseConnection);
  // A connection that has got its answer stays open for the next request, which a closing server does not take.
  const leaveIdle = (): void => void setImmediate(() => server.listening || server.closeIdleConnections());
  server.on("request", (_, outgoing: ServerResponse) => outgoing.once("close", leaveIdle));
  return server;
}

/** Refuses targets that a URL parser would change before the gateway sees them. */
function checkTarget(answer: RequestListener): RequestListener {
  return (incoming, outgoing) => {
    const [path = ""] = (incoming.url ?? "").split("?");
    if (isAmbiguousPath(path)) refuseTarget(incoming, outgoing);
    else answer(incoming, outgoing);
  };
}

function refuseTarget(incoming: IncomingMessage, outgoing: ServerResponse): void {
  incoming.resume();
  outgoing.writeHead(400, {
    "content-type": "application/json",
    "content-length": BAD_REQUEST.length,
    connection: "close",
  });
  outgoing.end(BAD_REQUEST);
}

const BAD_REQUEST = errorText("invalid_request_error", "The request is malformed.");

function malformed(): Response {
  return new Response(BAD_REQUEST, { status: 400, headers: { "content-type": "application/json" } });
}

/** An error in the form of both vendors: OpenAI's clients read `error`, Anthropic's also `type`. */
function errorText(type: string, message: string): string {
  return JSON.stringify({ type: "error", error: { type, message, param: null, code: null } });
}

const BROKEN: Readonly<Record<string, readonly [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: ["431 Request Header Fields Too Large", "The head of the request is too large."],
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "The request took too long to arrive."],
};

function refuseConnection(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
  const [status, message] = BROKEN[error.code ?? ""] ?? ["400 Bad Request", "The request is malformed."];
  const body = errorText("invalid_request_error", message);
  const head = `content-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close`;
  socket.end(`HTTP/1.1 ${status}\r\n${head}\r\n\r\n${body}`);
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

/** How long a cancelled answer may take to tell its client. */
const GOODBYE_MS = 5000;

async function closeServer(server: Server, drainMs: number, cancelling: AbortController): Promise<void> {
  const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
  const { signal } = cancelling;
  const deadline = setTimeout(() => cancelling.abort(), drainMs);
  let goodbye: NodeJS.Timeout | undefined;
  const endAll = (): void => {
    goodbye = setTimeout(() => server.closeAllConnections(), GOODBYE_MS);
  };
  signal.addEventListener("abort", endAll);
  await closed;
  signal.removeEventListener("abort", endAll);
  clearTimeout(deadline);
  clearTimeout(goodbye);
}
