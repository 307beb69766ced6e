import { type JsonValue, nativeText } from "../../spec/json.ts";
import type { EventDraft } from "../../spec/wire/events.ts";
import type { WireStep } from "../../spec/wire/wire.ts";

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
