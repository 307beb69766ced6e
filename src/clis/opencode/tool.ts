import { numberOf, objectOf, stringOf } from "../../dialects/json-access.ts";
import type { JsonObject, JsonValue } from "../../spec/json.ts";

/** A finished tool call as OpenCode prints it. */
export type OpencodeTool = {
  readonly id: string;
  readonly name: string;
  readonly input: JsonValue;
  readonly output: JsonValue;
  readonly isError: boolean;
  readonly details?: JsonValue;
  readonly isRejected: boolean;
};

const REJECTED = /^(?:The user rejected permission|The user has specified a rule which prevents you)/;

/** Reads the part of a `tool_use` line. The part's id names the call, because a callID may be used again (fixture max-turns). */
export function readOpencodeTool(part: JsonObject): OpencodeTool {
  const state = objectOf(part["state"]) ?? {};
  const hasFailed = state["status"] === "error";
  const output = (hasFailed ? state["error"] : state["output"]) ?? null;
  const exitCode = numberOf(objectOf(state["metadata"])?.["exit"]);
  const name = stringOf(part["tool"]) ?? "";
  return {
    id: stringOf(part["id"]) ?? "",
    name,
    input: state["input"] ?? null,
    output,
    isError: state["status"] !== "completed" || name === "invalid" || (exitCode !== undefined && exitCode !== 0),
    ...(exitCode !== undefined && { details: { exitCode } }),
    isRejected: hasFailed && REJECTED.test(stringOf(output) ?? ""),
  };
}
