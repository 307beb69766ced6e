import { type JsonObject, type JsonValue, numberOf, objectOf, stringOf } from "../../spec/json.ts";

type OpencodeTool = {
  readonly id: string;
  readonly name: string;
  readonly input: JsonValue;
  readonly output: JsonValue;
  readonly isError: boolean;
  readonly details?: JsonValue;
  readonly isRejected: boolean;
  readonly denied?: string;
};

/** Its own tools of 1.18.33. An agent has each of them, unless the configuration denies it. */
const OWN_TOOLS: readonly string[] = [
  ...["bash", "edit", "write", "patch", "apply_patch", "multiedit", "read", "glob", "grep", "list", "webfetch", "websearch"],
  ...["codesearch", "task", "todowrite", "todoread", "skill", "lsp"],
];

const REJECTED = /^(?:The user rejected permission|The user has specified a rule which prevents you)/;

const UNAVAILABLE = /^(?:The arguments provided to the tool are invalid: )?Model tried to call unavailable tool/;

/**
 * Reads the part of a `tool_use` line. The part's id names the call, because a callID may be used again (fixture max-turns). `denied` is the tool of
 * a call that OpenCode did not offer to the model, if it is one of its own.
 */
export function readOpencodeTool(part: JsonObject): OpencodeTool {
  const state = objectOf(part["state"]) ?? {};
  const hasFailed = state["status"] === "error";
  const output = (hasFailed ? state["error"] : state["output"]) ?? null;
  const exitCode = numberOf(objectOf(state["metadata"])?.["exit"]);
  const name = stringOf(part["tool"]) ?? "";
  const meant = name === "invalid" ? stringOf(objectOf(state["input"])?.["tool"]) : undefined;
  return {
    id: stringOf(part["id"]) ?? "",
    name,
    input: state["input"] ?? null,
    output,
    isError: state["status"] !== "completed" || name === "invalid" || (exitCode !== undefined && exitCode !== 0),
    ...(exitCode !== undefined && { details: { exitCode } }),
    isRejected: hasFailed && REJECTED.test(stringOf(output) ?? ""),
    ...(meant !== undefined && OWN_TOOLS.includes(meant) && UNAVAILABLE.test(stringOf(output) ?? "") && { denied: meant }),
  };
}
