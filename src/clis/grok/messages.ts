import { type ClaudeDifferences, type ClaudeState, startState } from "../../dialects/claude/claude-state.ts";
import { stepClaude } from "../../dialects/claude/claude-stream.ts";
import { type JsonObject, type JsonValue, listOf, objectOf, stringOf } from "../../spec/json.ts";
import { defineWire, noInput, type SimpleWire } from "../../spec/wire/define-wire.ts";
import type { EventDraft } from "../../spec/wire/events.ts";
import type { TurnEnd } from "../../spec/wire/wire.ts";
import { endByError, readGrokUsage } from "./end.ts";
import { readGrokContent } from "./tool-result.ts";

type State = {
  readonly claude: ClaudeState;
  /** Present if the host has tools. */
  readonly used: UsedTools | undefined;
};

/** The lines of `--output-format streaming-messages-json`: Claude's, with differences; docs/dialects/grok.md has the rules. */
export const grokStream: SimpleWire = defineWire<State>({
  input: noInput,
  start: (context) => ({
    claude: startState(context, DIFFERENCES),
    used: (context.nativeTools ?? []).length > 0 ? new UsedTools() : undefined,
  }),
  step({ claude, used }, native) {
    const line = objectOf(native);
    if (line?.["type"] === "error") return { events: readGrokUsage(line), turnEnd: endByError(line) };
    const next = stepClaude(claude, native);
    return used === undefined ? next : { ...next, events: used.read(next.events) };
  },
});

const DIFFERENCES: ClaudeDifferences = {
  hasBridge: true,
  system: toClaudeSystem,
  toolResult: (block) => readGrokContent(block["content"] ?? null, block["is_error"] === true),
  report: (line) => ({ events: readGrokUsage(line) }),
  failedEnd: nameFault,
};

/** Grok Build prints an unknown value as `unknown` or `pending`. */
function toClaudeSystem(line: JsonObject): JsonObject {
  const servers = listOf(line["mcp_servers"]).filter((server) => objectOf(server)?.["status"] !== "pending");
  return { ...line, mcp_servers: servers, model: line["model"] === "unknown" ? "" : (line["model"] ?? "") };
}

function nameFault(turnEnd: TurnEnd, { stop_reason: reason }: JsonObject): TurnEnd {
  const { fault } = turnEnd;
  if (fault === undefined) return turnEnd;
  const finish = reason === "max_tokens" ? "length" : turnEnd.finish;
  return { ...turnEnd, finish, fault: reason === "cancelled" ? { kind: "cancelled", ...fault } : fault };
}

const USE_TOOL = "use_tool";

/**
 * Reports a call of `use_tool` as a call of the tool that it names. That is known once the input is complete, so that the call begins
 * then.
 */
export class UsedTools {
  private readonly held = new Set<string>();
  /** The calls that are reported under the name of the tool. */
  private readonly named = new Map<string, Called>();

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
        const called = calledTool(event.input);
        if (called !== undefined) this.named.set(event.id, called);
        const call = { ...event, ...called };
        const { id, name, parentToolId } = call;
        return [{ type: "tool-start", id, name, ...(parentToolId !== undefined && { parentToolId }) }, call];
      }
      case "permission-denied":
        return [{ ...event, ...this.named.get(event.id) }];
      default:
        return [event];
    }
  }
}

type Called = Pick<Extract<EventDraft, { type: "tool-call" }>, "name" | "input">;

/** A tool of a server has `__` in its name; Grok Build calls no other one. */
function calledTool(input: JsonValue): Called | undefined {
  const { tool_name: given, tool_input: args = {} } = objectOf(input) ?? {};
  const name = stringOf(given);
  return name?.includes("__") === true ? { name, input: args } : undefined;
}
