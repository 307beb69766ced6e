import type { Failure } from "../../spec/failure/failure.ts";
import type { JsonValue } from "../../spec/json.ts";
import type { RunRequest } from "../../spec/request.ts";
import type { LogLevel, RunKind } from "../../spec/run-listener.ts";
import type { RunEvent } from "../../spec/wire/events.ts";

/** What a log says about an event, before secrets are removed. `data` is only for a log of the level `debug`. */
export type LogLine = { readonly level: LogLevel; readonly message: string; readonly code?: string; readonly data?: unknown };

/** The codes of warnings and failures whose message quotes the answer of the model or the output of a tool. */
const QUOTING: ReadonlySet<string> = new Set([
  ...["tool-call-corrected", "object-corrected"],
  ...["tool-call-unreadable", "schema-mismatch", "tools-failing", "refused", "upstream-garbled"],
]);

/** The line about an event; undefined for the pieces of a text or a value, which another event has whole. */
export function describeEvent(event: RunEvent, kind: RunKind): LogLine | undefined {
  const line = headline(event, kind);
  return line && { ...line, data: event };
}

function headline(event: RunEvent, kind: RunKind): LogLine | undefined {
  switch (event.type) {
    case "run-start":
      return { level: "info", message: `${kind} started` };
    case "attempt-start":
      return { level: "info", message: `attempt ${event.attempt}, ${event.warm ? "warm" : event.transport}` };
    case "warning":
      return { level: "warn", message: saidBy(event), code: event.code };
    case "retry":
      return failed("warn", `retry in ${event.delayMs} ms`, event.failure);
    case "fallback":
      return failed("warn", `fallback to ${event.to}`, event.failure);
    case "upstream-retry":
      return { level: "warn", message: `the CLI repeats its request${event.status ? ` after status ${event.status}` : ""}` };
    case "permission-denied":
      return { level: "warn", message: `${event.name} was denied` };
    case "run-end":
      if (event.failure !== undefined) return failed("error", `failed after ${event.atMs} ms`, event.failure);
      return { level: "info", message: `ended after ${event.atMs} ms: ${event.finish}` };
    case "text-delta":
    case "reasoning-delta":
    case "tool-input-delta":
    case "tool-output-delta":
    case "object-delta":
      return undefined;
    default:
      return { level: "debug", message: event.type };
  }
}

function failed(level: LogLevel, message: string, failure: Failure): LogLine {
  return { level, message: `${message}: ${saidBy(failure)}`, code: failure.code };
}

/** A message without words of the answer. */
function saidBy({ code, message }: { readonly code: string; readonly message: string }): string {
  return QUOTING.has(code) ? code : message;
}

/** The line with the prompt and the settings of a run. Of variables, servers and tools it has only the names, and no images. */
export function describeRequest(request: RunRequest): LogLine {
  const { env, mcpServers, tools, images, messages, outputSchema, metadata: _, ...rest } = request;
  const data: Readonly<Record<string, unknown>> = {
    ...rest,
    ...(messages !== undefined && { messages: messages.map(({ images: _images, ...message }) => message) }),
    ...(env !== undefined && { env: Object.keys(env) }),
    ...(mcpServers !== undefined && { mcpServers: Object.keys(mcpServers) }),
    ...(tools !== undefined && { tools: tools.map(({ name }) => name) }),
    ...(images !== undefined && { images: images.length }),
    ...(outputSchema !== undefined && { outputSchema: true }),
  };
  return { level: "debug", message: "request", data: data as JsonValue };
}
