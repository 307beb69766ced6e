import { defined, type JsonObject, type JsonValue, listOf, objectOf, stringOf } from "../../spec/json.ts";
import type { Variables } from "../../spec/provider/cli-data.ts";
import type { PermissionMode } from "../../spec/request.ts";
import type { EventDraft } from "../../spec/wire/events.ts";
import { type CodexTool, readCodexTool, type ToolContext, toolEvents } from "./items.ts";
import type { CodexMessage } from "./turn-end.ts";

/** The messages and tools of a turn of Codex. */
export class TurnItems {
  lastMessage: CodexMessage | undefined;
  /** Codex retries the request since the last message, and no tool has run: it may send that message again. */
  private mayRepeat = false;
  private readonly context: ToolContext;
  private readonly tools = new Map<string, CodexTool>();
  /** The texts of the messages and reasonings that are not complete, by item id. */
  private readonly streamed = new Map<string, string>();
  private openMessage: string | undefined;

  /** The permission mode is that of an agent; undefined in a completion. */
  constructor(permissionMode: PermissionMode | undefined) {
    this.context = { openTools: new Set(), permissionMode };
  }

  toolOf(id: string): CodexTool | undefined {
    return this.tools.get(id);
  }

  addText(messageId: string, text: string): readonly EventDraft[] {
    if (text === "") return [];
    this.openMessage = messageId;
    this.append(messageId, text);
    return [{ type: "text-delta", messageId, text }];
  }

  addReasoning(messageId: string, text: string): readonly EventDraft[] {
    if (text === "") return [];
    this.append(messageId, text);
    return [{ type: "reasoning-delta", messageId, text }];
  }

  /** Another part of the summary begins; parts are separated by a blank line. */
  nextReasoning(messageId: string): readonly EventDraft[] {
    return this.streamed.has(messageId) ? this.addReasoning(messageId, "\n\n") : [];
  }

  /** Codex repeats its request: a message that is not complete is void. */
  retry(): readonly EventDraft[] {
    this.mayRepeat = true;
    const messageId = this.openMessage;
    this.openMessage = undefined;
    if (messageId === undefined) return [];
    this.streamed.delete(messageId);
    return [{ type: "text-reset", messageId }];
  }

  /** Reads an item of the app-server, when it begins and when it is complete. */
  read(params: JsonObject, isComplete: boolean): readonly EventDraft[] {
    const item = objectOf(params["item"]) ?? {};
    const events = this.readTool(toExecItem(item), isComplete);
    if (events !== undefined) return events;
    if (!isComplete) return [];
    const id = stringOf(item["id"]) ?? "";
    switch (item["type"]) {
      case "userMessage":
        return [];
      case "agentMessage":
        return this.endMessage({ id, text: stringOf(item["text"]) ?? "" });
      case "reasoning":
        return this.streamed.delete(id) ? [] : this.wholeReasoning(id, item);
      default:
        return [{ type: "native", value: params }];
    }
  }

  private append(id: string, text: string): void {
    this.streamed.set(id, (this.streamed.get(id) ?? "") + text);
  }

  private wholeReasoning(messageId: string, item: JsonObject): readonly EventDraft[] {
    const text = listOf(item["summary"]).map(stringOf).join("\n\n");
    return text === "" ? [] : [{ type: "reasoning-delta", messageId, text }];
  }

  /** Reads an item as `codex exec` prints it; undefined if it is no tool. */
  readTool(item: JsonObject, isComplete: boolean): readonly EventDraft[] | undefined {
    const tool = readCodexTool(item);
    if (tool === undefined) return undefined;
    this.mayRepeat = false;
    const { id, name, input } = tool;
    if (!isComplete) this.tools.set(id, tool);
    const events = toolEvents(this.context, tool, isComplete);
    return item["status"] === "declined" ? [{ type: "permission-denied", id, name, input }, ...events] : events;
  }

  /** A finished message that comes again after a retry voids the first one, so that the events contain it once. */
  endMessage({ id, text }: CodexMessage): readonly EventDraft[] {
    const sent = this.streamed.get(id) ?? "";
    const before = this.lastMessage;
    const isAgain = this.mayRepeat && before !== undefined && before.text === text && text !== "";
    // A text that does not continue what was streamed gets another id, because a reset text must not come again under its own.
    const messageId = text.startsWith(sent) ? id : `${id}-whole`;
    this.streamed.delete(id);
    this.openMessage = undefined;
    this.mayRepeat = false;
    this.lastMessage = { id: messageId, text };
    if (text === "" && sent === "") return [];
    const rest = messageId === id ? text.slice(sent.length) : text;
    return [
      ...(isAgain ? [{ type: "text-reset", messageId: before.id } as const] : []),
      ...(messageId === id ? [] : [{ type: "text-reset", messageId: id } as const]),
      ...(rest === "" ? [] : [{ type: "text-delta", messageId, text: rest } as const]),
      ...(text === "" ? [] : [{ type: "text-end", messageId } as const]),
    ];
  }
}

const EXEC_TYPES: Variables = {
  commandExecution: "command_execution",
  fileChange: "file_change",
  mcpToolCall: "mcp_tool_call",
  webSearch: "web_search",
  collabAgentToolCall: "collab_tool_call",
};

/** A tool item as `codex exec` prints it: the same fields under other names. */
function toExecItem(item: JsonObject): JsonObject {
  const type = EXEC_TYPES[stringOf(item["type"]) ?? ""];
  if (type === undefined) return {};
  const { aggregatedOutput, exitCode, agentsStates, action, changes, tool, ...same } = item;
  return {
    ...same,
    type,
    ...(aggregatedOutput !== undefined && { aggregated_output: aggregatedOutput ?? "" }),
    ...defined({ exit_code: exitCode, agents_states: agentsStates }),
    ...(action !== undefined && action !== null && { action }),
    ...(changes !== undefined && { changes: listOf(changes).map(toExecChange) }),
    ...(tool !== undefined && { tool: type === "collab_tool_call" ? toSnakeCase(tool) : tool }),
  };
}

/** `codex exec` prints no diff. */
function toExecChange(entry: JsonValue): JsonValue {
  const { path = "", kind, diff } = objectOf(entry) ?? {};
  const movePath = objectOf(kind)?.["move_path"] ?? undefined;
  return {
    path,
    kind: objectOf(kind)?.["type"] ?? kind ?? "update",
    ...defined({ movePath, diff }),
  };
}

function toSnakeCase(name: JsonValue): JsonValue {
  return stringOf(name)?.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) ?? name;
}
