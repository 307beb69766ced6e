import { objectOf, stringOf } from "../../dialects/kit/json-access.ts";
import type { EventDraft } from "../../spec/wire/events.ts";

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
