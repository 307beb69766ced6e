import { type JsonObject, type JsonValue, listOf, numberOf, objectOf, stringOf } from "../../spec/json.ts";
import type { PermissionMode } from "../../spec/request.ts";
import type { EventDraft } from "../../spec/wire/events.ts";

export type CodexTool = {
  readonly id: string;
  readonly name: string;
  readonly input: JsonValue;
  readonly output: JsonValue;
  readonly isError: boolean;
  readonly details?: JsonValue;
  readonly changes: readonly EventDraft[];
};

/** Undefined for an item that is no tool call. */
export function readCodexTool(item: JsonObject): CodexTool | undefined {
  const id = stringOf(item["id"]) ?? "";
  const isError = item["status"] !== "completed";
  switch (item["type"]) {
    case "command_execution":
      return readCommand(item, id);
    case "file_change":
      return {
        id,
        name: "file_change",
        input: { changes: item["changes"] ?? [] },
        output: null,
        isError,
        changes: isError ? [] : readChanges(item),
      };
    case "mcp_tool_call": {
      const name = `mcp__${stringOf(item["server"]) ?? ""}__${stringOf(item["tool"]) ?? ""}`;
      return { id, name, input: item["arguments"] ?? null, output: readMcpOutput(item), isError, changes: [] };
    }
    case "web_search": {
      const action = item["action"];
      const input = { query: item["query"] ?? null, ...(action !== undefined && { action }) };
      return { id, name: "web_search", input, output: null, isError: false, changes: [] };
    }
    case "collab_tool_call": {
      const [name, input] = [stringOf(item["tool"]) ?? "collab_tool_call", { prompt: item["prompt"] ?? null }];
      return { id, name, input, output: item["agents_states"] ?? null, isError, changes: [] };
    }
    default:
      return undefined;
  }
}

export type ToolContext = {
  /** The ids of the calls that were reported. */
  readonly openTools: Set<string>;
  /** Undefined in a completion. */
  readonly permissionMode: PermissionMode | undefined;
};

export function toolEvents(
  { openTools, permissionMode }: ToolContext,
  tool: CodexTool,
  isComplete: boolean,
): readonly EventDraft[] {
  const { id, name, input, output, isError, details, changes } = tool;
  const events: EventDraft[] = [];
  if (!openTools.has(id)) {
    openTools.add(id);
    events.push({ type: "tool-start", id, name }, { type: "tool-call", id, name, input, executor: "cli" });
  }
  if (!isComplete) return events;
  if (isDenied(permissionMode, tool)) events.push({ type: "permission-denied", id, name, input });
  return [...events, ...changes, { type: "tool-end", id, output, isError, ...(details !== undefined && { details }) }];
}

/**
 * Codex has no word for a command that its sandbox stopped. The sandbox mounts what may not be written as read-only, and the program
 * reports the system's error as the end of a line (fixture tool-denied).
 */
function isDenied(mode: PermissionMode | undefined, { name, isError, output }: CodexTool): boolean {
  const isSandboxed = mode !== undefined && mode !== "bypass";
  return isSandboxed && name === "command_execution" && isError && /: Read-only file system$/m.test(stringOf(output) ?? "");
}

function readCommand(item: JsonObject, id: string): CodexTool {
  const exitCode = numberOf(item["exit_code"]);
  const isError = item["status"] !== "completed" || (exitCode !== undefined && exitCode !== 0);
  const [input, output] = [{ command: item["command"] ?? null }, item["aggregated_output"] ?? null];
  return {
    id,
    name: "command_execution",
    input,
    output,
    isError,
    changes: [],
    ...(exitCode !== undefined && { details: { exitCode } }),
  };
}

function readChanges(item: JsonObject): readonly EventDraft[] {
  return listOf(item["changes"]).map((entry) => {
    const change = objectOf(entry);
    const kind = change?.["kind"];
    return {
      type: "file-change",
      path: stringOf(change?.["path"]) ?? "",
      kind: kind === "add" || kind === "delete" ? kind : "update",
    };
  });
}

function readMcpOutput(item: JsonObject): JsonValue {
  const error = stringOf(objectOf(item["error"])?.["message"]);
  if (error !== undefined) return error;
  const content = objectOf(item["result"])?.["content"] ?? null;
  const texts = listOf(content).map((entry) =>
    objectOf(entry)?.["type"] === "text" ? stringOf(objectOf(entry)?.["text"]) : undefined,
  );
  return Array.isArray(content) && texts.every((text) => text !== undefined) ? texts.join("\n") : content;
}
