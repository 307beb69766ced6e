import { type JsonObject, type JsonValue, objectOf, stringOf } from "../../spec/json.ts";
import type { ToolDefinition } from "../../spec/message.ts";
import type { ToolAnswer } from "../../spec/stream.ts";
import { NO_STEP } from "../../spec/wire/define-wire.ts";
import type { Send, WireStep } from "../../spec/wire/wire.ts";
import { sendLine } from "../kit/lines.ts";

/** The name of the MCP server by which Claude Code gets the host tools; the model does not see it. */
export const HOST_SERVER = "coxswain_host";

/** A longer result is replaced by a pointer to a file; this is the largest value that Claude Code obeys (450 KB whole, 600 KB not). */
const RESULT_CHARACTERS = 500_000;

/** The MCP message that asks for a result, and the control line that it came in. */
type OpenCall = { readonly requestId: string; readonly rpcId: JsonValue };

/**
 * The host tools of one process, as an MCP server that Claude Code reaches by control lines; docs/dialects/claude.md has the rules. It asks
 * for the result of each call; a result that is given before it asks is kept.
 */
export class ClaudeHostTools {
  private readonly tools: readonly ToolDefinition[];
  private readonly runsAtOnce: boolean;
  /** The calls without a result. */
  private readonly called = new Set<string>();
  /** True if it was reported that all calls are known. */
  private isReported = false;
  private readonly open = new Map<string, OpenCall>();
  private readonly answers = new Map<string, ToolAnswer>();

  /** Claude Code makes several calls at the same time only if it takes the tools for reading ones; in plan mode it must not. */
  constructor(tools: readonly ToolDefinition[], runsAtOnce: boolean) {
    this.tools = tools;
    this.runsAtOnce = runsAtOnce;
  }

  /** True if the tool runs in the host. */
  has(name: string): boolean {
    return this.tools.some((tool) => tool.name === name);
  }

  /** Called when the model has called a host tool. */
  begin(callId: string): void {
    this.isReported = false;
    this.called.add(callId);
  }

  /** Called when the model gets the result of a call. */
  end(callId: string): void {
    this.called.delete(callId);
  }

  /** True once for the calls of a message, if any of them has no result. */
  reportCalls(): boolean {
    const isNews = this.called.size > 0 && !this.isReported;
    this.isReported ||= isNews;
    return isNews;
  }

  /** Reads a control line with an MCP message of Claude Code. */
  read(requestId: string, message: JsonObject): WireStep {
    const rpcId = message["id"] ?? null;
    switch (message["method"]) {
      case "initialize":
        return reply(requestId, rpcId, {
          protocolVersion: objectOf(message["params"])?.["protocolVersion"] ?? "2025-06-18",
          capabilities: { tools: {} },
          serverInfo: { name: HOST_SERVER, version: "1" },
        });
      case "tools/list":
        return reply(requestId, rpcId, { tools: this.tools.map((tool) => toMcpTool(tool, this.runsAtOnce)) });
      case "tools/call":
        return this.ask({ requestId, rpcId }, objectOf(message["params"]) ?? {});
      default:
        return reply(requestId, rpcId, {});
    }
  }

  /** Sends the result of a call, or keeps it until Claude Code asks. */
  answer(callId: string, answer: ToolAnswer): readonly Send[] {
    const open = this.open.get(callId);
    this.open.delete(callId);
    if (open !== undefined) return [toResponse(open.requestId, open.rpcId, toMcpResult(answer))];
    this.answers.set(callId, answer);
    return [];
  }

  private ask(open: OpenCall, params: JsonObject): WireStep {
    const id = stringOf(objectOf(params["_meta"])?.["claudecode/toolUseId"]) ?? open.requestId;
    const known = this.answers.get(id);
    this.answers.delete(id);
    if (known !== undefined) return { events: [], send: [toResponse(open.requestId, open.rpcId, toMcpResult(known))] };
    this.open.set(id, open);
    const call = { id, name: stringOf(params["name"]) ?? "", args: objectOf(params["arguments"]) ?? {} };
    return { events: [], asks: [{ kind: "tool", requestId: id, call }] };
  }
}

function toMcpTool({ name, description = "", parameters = {} }: ToolDefinition, readOnlyHint: boolean): JsonObject {
  return {
    name,
    description,
    inputSchema: { type: "object", ...parameters },
    annotations: { readOnlyHint },
    _meta: { "anthropic/maxResultSizeChars": RESULT_CHARACTERS },
  };
}

function toMcpResult({ text, isError }: ToolAnswer): JsonObject {
  return { content: [{ type: "text", text }], isError };
}

function reply(requestId: string, rpcId: JsonValue, result: JsonObject): WireStep {
  return { ...NO_STEP, isHeartbeat: true, send: [toResponse(requestId, rpcId, result)] };
}

function toResponse(requestId: string, id: JsonValue, result: JsonObject): Send {
  const response = { mcp_response: { jsonrpc: "2.0", id, result } };
  return sendLine({ type: "control_response", response: { subtype: "success", request_id: requestId, response } });
}
