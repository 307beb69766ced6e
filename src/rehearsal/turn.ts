import { randomUUID } from "node:crypto";
import { setTimeout as delay, setImmediate as immediate } from "node:timers/promises";
import type { JsonObject, JsonValue } from "../spec/json.ts";
import type { RehearsalOptions } from "./arguments.ts";
import { Message } from "./message.ts";
import type { OutputLines } from "./output-lines.ts";
import { decideCall } from "./own-tools.ts";

/** `input` is the input that the host allows. */
export type PermissionVerdict = { readonly allowed: boolean; readonly message: string; readonly input?: JsonObject };

export type Turn = {
  readonly prompt: string;
  readonly options: RehearsalOptions;
  readonly lines: OutputLines;
  /** Waits, for 0 only until other work of the process is done; rejects at once when the turn is interrupted. */
  pause(milliseconds: number): Promise<void>;
  /** Whether a call may run: by the flags, else by the answer of the host; allowed when no host answers permission requests. */
  askPermission(toolUseId: string, name: string, input: JsonObject): Promise<PermissionVerdict>;
  /** The tools of the host, if it offers any as tools of the CLI. */
  readonly hostTools?: {
    list(): Promise<readonly HostTool[]>;
    call(id: string, name: string, input: JsonValue): Promise<HostResult>;
  };
  message(): Message;
  current(): Message | undefined;
};

/** How a turn ended; it decides the exit code. */
export type TurnOutcome = "answered" | "failed";

export type Scenario = (turn: Turn) => Promise<TurnOutcome>;

export type TurnSurroundings = {
  readonly signal: AbortSignal;
  readonly answerTo: (requestId: string) => Promise<PermissionVerdict>;
  readonly hostTools: HostTools | undefined;
};

export function createTurn(prompt: string, options: RehearsalOptions, lines: OutputLines, around: TurnSurroundings): Turn {
  const { hostTools, signal } = around;
  let message: Message | undefined;
  return {
    prompt,
    options,
    lines,
    ...(hostTools !== undefined && {
      hostTools: {
        list: () => hostTools.list(lines, signal),
        call: (id, name, input) => hostTools.call(id, { name, input }, lines, signal),
      },
    }),
    pause: (milliseconds) => (milliseconds === 0 ? immediate(undefined, { signal }) : delay(milliseconds, undefined, { signal })),
    askPermission: async (toolUseId, name, input) => {
      const decision = decideCall(name, input, options.permissions);
      if (decision.kind === "deny") return { allowed: false, message: decision.message };
      if (decision.kind === "allow" || !options.asksPermission) return { allowed: true, message: "" };
      const requestId = randomUUID();
      const request = { subtype: "can_use_tool", tool_name: name, input, permission_suggestions: [], tool_use_id: toolUseId };
      lines.send({ type: "control_request", request_id: requestId, request });
      return await around.answerTo(requestId);
    },
    message: () => {
      message = new Message(lines, options.model, prompt.length + options.systemPrompt.length);
      return message;
    },
    current: () => message,
  };
}

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
