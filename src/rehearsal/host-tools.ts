import { randomUUID } from "node:crypto";
import type { JsonObject, JsonValue } from "../spec/json.ts";
import type { OutputLines } from "./output-lines.ts";

export type HostTool = { readonly name: string; readonly parameters: JsonValue };

export type HostResult = { readonly text: string; readonly isError: boolean };

/** The tools that the host offers by MCP messages in control lines, as Claude Code reaches them. */
export class HostTools {
  private readonly server: string;
  private readonly waiting = new Map<string, (result: JsonObject) => void>();

  constructor(server: string) {
    this.server = server;
  }

  async list(lines: OutputLines, signal: AbortSignal): Promise<readonly HostTool[]> {
    await this.ask("initialize", { protocolVersion: "2025-06-18", capabilities: {} }, lines, signal);
    const { tools } = await this.ask("tools/list", {}, lines, signal);
    if (!Array.isArray(tools)) return [];
    return tools.map((tool) => ({ name: String(Reflect.get(tool, "name")), parameters: Reflect.get(tool, "inputSchema") }));
  }

  async call(id: string, tool: { name: string; input: JsonValue }, lines: OutputLines, signal: AbortSignal): Promise<HostResult> {
    const params = { name: tool.name, arguments: tool.input, _meta: { "claudecode/toolUseId": id } };
    const { content, isError } = await this.ask("tools/call", params, lines, signal);
    const texts = Array.isArray(content) ? content.map((block) => String(Reflect.get(Object(block), "text"))) : [];
    return { text: texts.join("\n"), isError: isError === true };
  }

  take(requestId: string, result: JsonObject): void {
    this.waiting.get(requestId)?.(result);
    this.waiting.delete(requestId);
  }

  private async ask(method: string, params: JsonObject, lines: OutputLines, signal: AbortSignal): Promise<JsonObject> {
    const requestId = randomUUID();
    const answered = new Promise<JsonObject>((resolve, reject) => {
      this.waiting.set(requestId, resolve);
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
    const message = { jsonrpc: "2.0", id: this.waiting.size, method, params };
    const request = { subtype: "mcp_message", server_name: this.server, message };
    lines.send({ type: "control_request", request_id: requestId, request });
    return await answered;
  }
}
