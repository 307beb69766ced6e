import { type JsonObject, type JsonValue, nativeText } from "../../spec/json.ts";
import type { EventDraft } from "../../spec/wire/events.ts";
import type { Send, WireStep } from "../../spec/wire/wire.ts";

/** The step for a value that is no object: it is kept as text. */
export function keepNative(native: JsonValue): WireStep {
  return { events: [{ type: "native", text: nativeText(native) }] };
}

/** The step for lines that are printed as one list: all of them up to the end of the turn. */
export function stepAll(natives: readonly JsonValue[], step: (native: JsonValue) => WireStep): WireStep {
  const events: EventDraft[] = [];
  for (const native of natives) {
    const next = step(native);
    events.push(...next.events);
    if (next.turnEnd !== undefined) return { events, turnEnd: next.turnEnd };
  }
  return { events };
}

/** The warning that an MCP server is not available, with the status that the CLI reported. */
export function serverUnavailable(server: string, status: string): EventDraft {
  return { type: "warning", code: "mcp-server-unavailable", message: `MCP server "${server}" is ${status}.`, server };
}

/** A line of JSON for the CLI. */
export function sendLine(message: JsonObject): Send {
  return { text: `${JSON.stringify(message)}\n` };
}

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
  return sendLine({ jsonrpc: "2.0", ...message });
}
