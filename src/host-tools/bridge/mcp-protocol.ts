import { isJsonObject, type JsonObject, type JsonValue } from "../../spec/json.ts";
import type { HostResult } from "./host-calls.ts";

/** The versions of MCP in which this server answers; the newest first. */
export const VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;

export type RpcRequest = { readonly id: string | number; readonly method: string; readonly params: JsonObject };

/** The request in a message; a notification or an answer has none, and `undefined` is no message of JSON-RPC. */
export function readMessage(value: JsonValue | undefined): RpcRequest | "notification" | undefined {
  if (!isJsonObject(value) || value["jsonrpc"] !== "2.0") return undefined;
  const { id, method, params = {} } = value;
  if (typeof method !== "string") return "result" in value || "error" in value ? "notification" : undefined;
  if (id === undefined) return "notification";
  const isId = typeof id === "string" || typeof id === "number";
  return isId && isJsonObject(params) ? { id, method, params } : undefined;
}

/** The answer to `initialize`: the version that the CLI asked for, or the newest, and what the model is told about the tools. */
export function initialized({ protocolVersion }: JsonObject, instructions?: string): JsonObject {
  return {
    protocolVersion: VERSIONS.find((version) => version === protocolVersion) ?? VERSIONS[0],
    capabilities: { tools: {} },
    serverInfo: { name: "coxswain", version: "1" },
    ...(instructions !== undefined && { instructions }),
  };
}

export function toCallResult({ text, isError }: HostResult): JsonObject {
  return { content: [{ type: "text", text }], isError };
}

export function resultOf({ id }: RpcRequest, result: JsonObject): JsonObject {
  return { jsonrpc: "2.0", id, result };
}

/** Without a request the id of the message is null. */
export function errorOf(request: RpcRequest | undefined, code: number, message: string): JsonObject {
  return { jsonrpc: "2.0", id: request?.id ?? null, error: { code, message } };
}

/** A notification that a call goes on, if its request asked for such notifications. */
export function progressOf({ params }: RpcRequest, progress: number): JsonObject | undefined {
  const token = isJsonObject(params["_meta"]) ? params["_meta"]["progressToken"] : undefined;
  if (typeof token !== "string" && typeof token !== "number") return undefined;
  return { jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: token, progress } };
}
