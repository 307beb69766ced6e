import { randomUUID } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from "../../spec/json.ts";
import type { ToolAnswer } from "../../spec/stream.ts";
import type { HostCalls, ListedTool } from "./host-calls.ts";
import { isSameText } from "./same-text.ts";

type AnswerOptions = {
  readonly door: Door;
  readonly tools: readonly ListedTool[];
  /** What the model is told about the tools. */
  readonly instructions?: string | undefined;
  readonly calls: HostCalls;
  readonly onListed: () => void;
};

/** More than any arguments that a model writes. */
const MOST_BODY_BYTES = 8 * 1024 * 1024;

const NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;
const INVALID_REQUEST = -32600;

/** Answers the requests of one CLI as an MCP server over streamable HTTP, and refuses all others. */
export function answerRequests(options: AnswerOptions): RequestListener {
  return (request, response) => {
    response.on("error", () => {});
    answer(request, response, options).catch(() => response.destroy());
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, options: AnswerOptions): Promise<void> {
  const refused = checkRequest(request, options.door);
  if (refused !== undefined) return refuse(response, refused.status, refused.headers);
  const body = await readBody(request, MOST_BODY_BYTES);
  if (body === undefined) return refuse(response, 413);
  const message = readMessage(parseJson(body));
  if (message === undefined) return reply(response, errorOf(undefined, INVALID_REQUEST, "This is no request of JSON-RPC."), 400);
  if (message === "notification") return void response.writeHead(202).end();
  const version = request.headers["mcp-protocol-version"];
  if (version !== undefined && message.method !== "initialize" && !VERSIONS.some((known) => known === version))
    return reply(response, errorOf(message, INVALID_REQUEST, `MCP ${version} is not supported.`), 400);
  await answerMessage(message, request, response, options);
}

async function answerMessage(
  message: RpcRequest,
  request: IncomingMessage,
  response: ServerResponse,
  { tools, instructions, calls, onListed }: AnswerOptions,
): Promise<void> {
  switch (message.method) {
    case "initialize":
      response.setHeader("mcp-session-id", randomUUID());
      return reply(response, resultOf(message, initialized(message.params, instructions)));
    case "ping":
      return reply(response, resultOf(message, {}));
    case "tools/list":
      response.once("finish", onListed);
      return reply(response, resultOf(message, { tools }));
    case "tools/call":
      return await answerCall(message, request, response, calls);
    default:
      return reply(response, errorOf(message, NOT_FOUND, `There is no method ${message.method}.`));
  }
}

async function answerCall(
  message: RpcRequest,
  request: IncomingMessage,
  response: ServerResponse,
  calls: HostCalls,
): Promise<void> {
  const { name, arguments: args = {} } = message.params;
  if (typeof name !== "string" || !isJsonObject(args))
    return reply(response, errorOf(message, INVALID_PARAMS, "A call needs a name and an object of arguments."));
  const client = String(request.headers["mcp-session-id"] ?? "");
  const { result, delivered } = calls.take({ client, id: String(message.id), name, args });
  const done = result.then((value) => resultOf(message, toCallResult(value)));
  delivered(await replyWhenDone(response, done, (count) => progressOf(message, count)));
}

function reply(response: ServerResponse, message: JsonObject, status = 200): void {
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" }).end(JSON.stringify(message));
}

/** The connection is closed, because the rest of a refused request is not read. */
function refuse(response: ServerResponse, status: number, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(status, { ...headers, connection: "close" }).end();
}

/** Undefined if the body has more bytes than this, or if the connection broke. */
async function readBody(request: IncomingMessage, mostBytes: number): Promise<string | undefined> {
  if (Number(request.headers["content-length"] ?? 0) > mostBytes) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request) {
      bytes += chunk.length;
      if (bytes > mostBytes) return undefined;
      chunks.push(chunk);
    }
  } catch {
    return undefined;
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Where a bridge listens, and the token that a request must carry. */
type Door = { readonly host: string; readonly path: string; readonly token: string };

type Refused = { readonly status: number; readonly headers?: Readonly<Record<string, string>> };

/**
 * The refusal of a request that is not from the CLI of this run. Host and Origin keep web pages out, also those that point their own name
 * at this machine; the path and the token keep other programs out.
 */
function checkRequest({ headers, url, method }: IncomingMessage, door: Door): Refused | undefined {
  if (headers.host !== door.host) return { status: 403 };
  if (headers.origin !== undefined && headers.origin !== `http://${door.host}`) return { status: 403 };
  if (!isSameText(url ?? "", door.path)) return { status: 404 };
  if (!isSameText(headers.authorization ?? "", `Bearer ${door.token}`))
    return { status: 401, headers: { "www-authenticate": "Bearer" } };
  if (method !== "POST") return { status: 405, headers: { allow: "POST" } };
  if (!/^application\/json\s*(?:;|$)/i.test(headers["content-type"] ?? "")) return { status: 415 };
  return headers["content-encoding"] === undefined ? undefined : { status: 415 };
}

/** A CLI drops a server that is silent: Gemini after 60 s without headers and 300 s without data, Copilot after 180 s. */
const SIGN_EVERY_MS = 10_000;

/**
 * Answers a request as a stream that shows signs of life until the answer is there. Resolves with whether the answer was written
 * to an open connection.
 */
async function replyWhenDone(
  response: ServerResponse,
  answer: Promise<JsonObject>,
  signOfLife: (count: number) => JsonObject | undefined,
): Promise<boolean> {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  response.flushHeaders();
  let count = 0;
  const timer = setInterval(() => {
    count += 1;
    const message = signOfLife(count);
    response.write(message === undefined ? ": waiting\n\n" : toEvent(message));
  }, SIGN_EVERY_MS).unref();
  const closed = new Promise<undefined>((resolve) => response.once("close", () => resolve(undefined)));
  const message = await Promise.race([answer, closed]);
  clearInterval(timer);
  if (message === undefined || response.destroyed) return false;
  return await new Promise<boolean>((resolve) => {
    response.once("close", () => resolve(response.writableFinished));
    response.end(toEvent(message), () => resolve(true));
  });
}

function toEvent(message: JsonObject): string {
  return `event: message\ndata: ${JSON.stringify(message)}\n\n`;
}

/** The versions of MCP in which this server answers; the newest first. */
const VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;

type RpcRequest = { readonly id: string | number; readonly method: string; readonly params: JsonObject };

/** The request in a message; a notification or an answer has none, and `undefined` is no message of JSON-RPC. */
function readMessage(value: JsonValue | undefined): RpcRequest | "notification" | undefined {
  if (!isJsonObject(value) || value["jsonrpc"] !== "2.0") return undefined;
  const { id, method, params = {} } = value;
  if (typeof method !== "string") return "result" in value || "error" in value ? "notification" : undefined;
  if (id === undefined) return "notification";
  const isId = typeof id === "string" || typeof id === "number";
  return isId && isJsonObject(params) ? { id, method, params } : undefined;
}

/** The answer to `initialize`: the version that the CLI asked for, or the newest, and what the model is told about the tools. */
function initialized({ protocolVersion }: JsonObject, instructions?: string): JsonObject {
  return {
    protocolVersion: VERSIONS.find((version) => version === protocolVersion) ?? VERSIONS[0],
    capabilities: { tools: {} },
    serverInfo: { name: "coxswain", version: "1" },
    ...(instructions !== undefined && { instructions }),
  };
}

function toCallResult({ text, isError }: ToolAnswer): JsonObject {
  return { content: [{ type: "text", text }], isError };
}

function resultOf({ id }: RpcRequest, result: JsonObject): JsonObject {
  return { jsonrpc: "2.0", id, result };
}

/** Without a request the id of the message is null. */
function errorOf(request: RpcRequest | undefined, code: number, message: string): JsonObject {
  return { jsonrpc: "2.0", id: request?.id ?? null, error: { code, message } };
}

/** A notification that a call goes on, if its request asked for such notifications. */
function progressOf({ params }: RpcRequest, progress: number): JsonObject | undefined {
  const token = isJsonObject(params["_meta"]) ? params["_meta"]["progressToken"] : undefined;
  if (typeof token !== "string" && typeof token !== "number") return undefined;
  return { jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: token, progress } };
}
