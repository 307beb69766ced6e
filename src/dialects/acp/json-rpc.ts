import type { JsonObject, JsonValue } from "../../spec/json.ts";
import type { Send } from "../../spec/wire/wire.ts";

/** A line with a request that the other side answers under the same id. */
export function rpcRequest(id: number, method: string, params: JsonObject): Send {
  return toLine({ id, method, params });
}

/** A line with a message that is not answered. */
export function rpcNotice(method: string, params: JsonObject): Send {
  return toLine({ method, params });
}

export function rpcAnswer(id: JsonValue, result: JsonObject): Send {
  return toLine({ id, result });
}

export function rpcUnknownMethod(id: JsonValue): Send {
  return toLine({ id, error: { code: -32601, message: "Method not found" } });
}

function toLine(message: JsonObject): Send {
  return { text: `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n` };
}
