import { randomUUID } from "node:crypto";
import { countsOf } from "../formats/anthropic.ts";
import type { JsonObject, JsonValue } from "../spec/json.ts";
import { estimateTokens } from "../spec/wire/usage.ts";
import type { RehearsalOptions } from "./arguments.ts";
import { toolsOf } from "./own-tools.ts";

/** The characters of input and output, from which tokens are counted. */
export type Spoken = { readonly read: number; readonly said: number };

/** Prints Claude stream-json lines; each gets the session id and an id of its own. */
export type OutputLines = {
  readonly count: () => number;
  send(line: JsonObject): void;
  /** The first line of a turn; it lists the tools. */
  init(hostTools?: readonly string[]): void;
  requesting(): void;
  toolResult(toolUseId: string, content: JsonValue, isError: boolean, details: JsonValue): void;
  /** The last line of a turn; `fields` holds its specific fields. */
  result(fields: JsonObject, spoken: Spoken): void;
};

export function createOutputLines(options: RehearsalOptions, version: string, write: (line: string) => void): OutputLines {
  const startedAt = performance.now();
  let count = 0;
  const send = (line: JsonObject): void => {
    count += 1;
    write(`${JSON.stringify({ ...line, session_id: options.sessionId, uuid: randomUUID() })}\n`);
  };
  return {
    count: () => count,
    send,
    init: (hostTools = []) => send(toInit(options, version, hostTools)),
    requesting: () => send({ type: "system", subtype: "status", status: "requesting" }),
    toolResult: (id, content, isError, details) => send(toToolResult(id, content, isError, details)),
    result: (fields, spoken) => send(toResult(fields, { spoken, model: options.model, startedAt })),
  };
}

export function toUsage(spoken: Spoken): JsonObject {
  const counts = countsOf({ inputTokens: estimateTokens(spoken.read), outputTokens: estimateTokens(spoken.said) });
  return { ...counts, service_tier: "standard" };
}

function toInit(options: RehearsalOptions, version: string, hostTools: readonly string[]): JsonObject {
  const own = toolsOf(options.model).map(({ name }) => name);
  const structured = options.schema === undefined ? [] : ["StructuredOutput"];
  return {
    type: "system",
    subtype: "init",
    cwd: process.cwd(),
    tools: [...(options.permissions.tools ?? own), ...structured, ...hostTools],
    mcp_servers: [],
    model: options.model,
    permissionMode: options.permissions.mode,
    slash_commands: [],
    apiKeySource: "none",
    claude_code_version: version,
    output_style: "default",
    agents: [],
    skills: [],
    plugins: [],
  };
}

function toToolResult(toolUseId: string, content: JsonValue, isError: boolean, details: JsonValue): JsonObject {
  return {
    type: "user",
    message: { role: "user", content: [{ tool_use_id: toolUseId, type: "tool_result", content, is_error: isError }] },
    parent_tool_use_id: null,
    timestamp: new Date().toISOString(),
    tool_use_result: details,
  };
}

type TurnFacts = { readonly spoken: Spoken; readonly model: string; readonly startedAt: number };

function toResult(fields: JsonObject, facts: TurnFacts): JsonObject {
  const durationMs = Math.round(performance.now() - facts.startedAt);
  const { read, said } = facts.spoken;
  const counts = { inputTokens: estimateTokens(read), outputTokens: estimateTokens(said), costUSD: 0 };
  return {
    type: "result",
    subtype: "success",
    is_error: false,
    duration_ms: durationMs,
    duration_api_ms: durationMs,
    num_turns: 1,
    stop_reason: "end_turn",
    total_cost_usd: 0,
    usage: toUsage(facts.spoken),
    modelUsage: read + said > 0 ? { [facts.model]: counts } : {},
    permission_denials: [],
    terminal_reason: "completed",
    ...fields,
  };
}
