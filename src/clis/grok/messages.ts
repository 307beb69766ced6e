import { claudeStream } from "../../dialects/claude/claude-stream.ts";
import { type JsonObject, type JsonValue, listOf, objectOf, stringOf } from "../../spec/json.ts";
import type { TurnContext, TurnReader } from "../../spec/wire/define-wire.ts";
import type { EventDraft } from "../../spec/wire/events.ts";
import type { TurnEnd, WireStep } from "../../spec/wire/wire.ts";
import { readGrokUsage } from "./end.ts";
import { readGrokContent } from "./tool-result.ts";

/** The state of a turn in Grok Build's variant of Claude's format. */
export type GrokMessagesState = {
  readonly claude: TurnReader;
  readonly calls: Map<string, { readonly name: string; readonly input: JsonValue }>;
  /** Present if the host has tools. */
  readonly used: UsedTools | undefined;
};

export function startGrokMessages(context: TurnContext): GrokMessagesState {
  const { nativeTools = [], ...plain } = context;
  // Claude's own way to host tools is not Grok Build's.
  return { claude: claudeStream.start(plain), calls: new Map(), used: nativeTools.length > 0 ? new UsedTools() : undefined };
}

/** Reads a line of `--output-format streaming-messages-json`, and every line of unknown type. */
export function stepGrokMessage(state: GrokMessagesState, native: JsonValue): WireStep {
  const line = objectOf(native);
  switch (line?.["type"]) {
    case "system":
      return state.claude.step(toClaudeSystem(line));
    case "user":
      return { events: readUser(state, line) };
    case "result":
      return endTurn(state, line);
    default:
      return noteCalls(state, state.claude.step(native));
  }
}

/** Grok Build prints an unknown value as an empty string, `unknown` or `pending`. */
function toClaudeSystem(line: JsonObject): JsonObject {
  const servers = listOf(line["mcp_servers"]).filter((server) => objectOf(server)?.["status"] !== "pending");
  const known = Object.entries(withoutEmptySession(line)).filter(
    ([key, value]) => !(key === "cwd" && value === "") && !(key === "model" && value === "unknown"),
  );
  return { ...Object.fromEntries(known), mcp_servers: servers };
}

function withoutEmptySession(line: JsonObject): JsonObject {
  const { session_id: sessionId, ...rest } = line;
  return sessionId === "" ? rest : line;
}

function noteCalls(state: GrokMessagesState, step: WireStep): WireStep {
  const events = state.used?.read(step.events) ?? step.events;
  for (const event of events) if (event.type === "tool-call") state.calls.set(event.id, { name: event.name, input: event.input });
  return { ...step, events };
}

/** Each result is read as a separate line, because its details belong to the line. */
function readUser(state: GrokMessagesState, line: JsonObject): readonly EventDraft[] {
  const message = objectOf(line["message"]) ?? {};
  return listOf(message["content"]).flatMap((entry) => {
    const block = objectOf(entry) ?? {};
    const { output, isError, details, isDenied } = readGrokContent(block["content"] ?? null, block["is_error"] === true);
    const content = [{ ...block, content: output, is_error: isError }];
    const plain = { ...line, message: { ...message, content } };
    const { events } = state.claude.step(details === undefined ? plain : { ...plain, tool_use_result: details });
    const id = stringOf(block["tool_use_id"]) ?? "";
    const call = state.calls.get(id);
    const denials =
      isDenied && call !== undefined && events.length > 0 ? [{ type: "permission-denied", id, ...call } as const] : [];
    return [...events, ...denials];
  });
}

function endTurn(state: GrokMessagesState, line: JsonObject): WireStep {
  const { usage: _counts, modelUsage: _models, total_cost_usd: _cost, ...rest } = withoutEmptySession(line);
  const { events, turnEnd } = state.claude.step(rest);
  return {
    events: [...events, ...readGrokUsage(line)],
    ...(turnEnd && { turnEnd: nameFault(turnEnd, stringOf(line["stop_reason"])) }),
  };
}

function nameFault(turnEnd: TurnEnd, stopReason: string | undefined): TurnEnd {
  const { fault } = turnEnd;
  if (fault === undefined) return turnEnd;
  const kind = fault.kind ?? (stopReason === "cancelled" ? "cancelled" : undefined);
  return {
    ...turnEnd,
    finish: stopReason === "max_tokens" ? "length" : turnEnd.finish,
    fault: { ...fault, ...(kind !== undefined && { kind }) },
  };
}

const USE_TOOL = "use_tool";

/**
 * Reports a call of `use_tool` as a call of the tool that it names. That is known once the input is complete, so that the call begins
 * then.
 */
export class UsedTools {
  private readonly held = new Set<string>();

  /** The events with the names and inputs of the tools of servers. */
  read(events: readonly EventDraft[]): readonly EventDraft[] {
    return events.flatMap((event) => this.readEvent(event));
  }

  private readEvent(event: EventDraft): readonly EventDraft[] {
    switch (event.type) {
      case "tool-start":
        if (event.name !== USE_TOOL) return [event];
        this.held.add(event.id);
        return [];
      case "tool-input-delta":
        return this.held.has(event.id) ? [] : [event];
      case "tool-reset":
        return this.held.delete(event.id) ? [] : [event];
      case "tool-call": {
        if (!this.held.delete(event.id)) return [event];
        const call = { ...event, ...calledTool(event.input) };
        const { id, name, parentToolId } = call;
        return [{ type: "tool-start", id, name, ...(parentToolId !== undefined && { parentToolId }) }, call];
      }
      default:
        return [event];
    }
  }
}

/** A tool of a server has `__` in its name; Grok Build calls no other one. */
function calledTool(input: unknown): Pick<Extract<EventDraft, { type: "tool-call" }>, "name" | "input"> | undefined {
  const { tool_name: given, tool_input: args = {} } = objectOf(input as never) ?? {};
  const name = stringOf(given);
  return name?.includes("__") === true ? { name, input: args } : undefined;
}
