import { randomUUID } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { isJsonObject, type JsonObject } from "../../spec/json.ts";
import { parseJson } from "../../spec/text/parse-json.ts";
import { checkRequest, type Door } from "./check-request.ts";
import type { HostCalls } from "./host-calls.ts";
import {
  errorOf,
  initialized,
  progressOf,
  type RpcRequest,
  readMessage,
  resultOf,
  toCallResult,
  VERSIONS,
} from "./mcp-protocol.ts";
import { readBody } from "./read-body.ts";
import type { ListedTool } from "./tool-list.ts";
import { replyWhenDone } from "./waiting-reply.ts";

/** What the server needs to answer. */
export type AnswerOptions = {
  readonly door: Door;
  readonly tools: readonly ListedTool[];
  /** What the model is told about the tools. */
  readonly instructions?: string | undefined;
  readonly calls: HostCalls;
  /** Called when the list of tools has been sent. */
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
