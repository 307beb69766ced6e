import type { RunWarning } from "./result.ts";
import type { Warning } from "./wire/events.ts";

/** The warning of a result that an event is. */
export function toRunWarning({ code, message, server, setting }: Warning): RunWarning {
  return { code, message, ...(server !== undefined && { server }), ...(setting !== undefined && { setting }) };
}
