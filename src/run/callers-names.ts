import type { EventBody, EventDraft } from "../spec/events.ts";
import type { JsonValue } from "../spec/json.ts";

/** Gives the calls of host tools the callers' names and inputs instead of the CLI's. */
export type CallersNames = {
  /** The callers' names by the names of the CLI. */
  readonly names: ReadonlyMap<string, string>;
  /** The input of a call as the model gave it, by the caller's name of the tool. */
  readonly inputOf: (name: string, input: JsonValue) => JsonValue;
};

/** The event with the callers' names; the end of a call is left as it is. */
export function withCallersNames<Event extends EventDraft | EventBody>(event: Event, { names, inputOf }: CallersNames): Event {
  if (event.type === "session-start") {
    const { tools } = event;
    return tools === undefined ? event : { ...event, tools: tools.map((tool) => names.get(tool) ?? tool) };
  }
  const name = "name" in event && typeof event.name === "string" ? names.get(event.name) : undefined;
  if (name === undefined) return event;
  switch (event.type) {
    case "tool-call":
      return { ...event, name, input: inputOf(name, event.input), executor: "host" };
    case "tool-start":
    case "permission-request":
    case "permission-denied":
      return { ...event, name };
    default:
      return event;
  }
}
