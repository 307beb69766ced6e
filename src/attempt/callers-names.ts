import type { JsonValue } from "../spec/json.ts";
import type { HostQuestion } from "../spec/stream.ts";
import type { EventBody, EventDraft } from "../spec/wire/events.ts";

/** Gives the calls of host tools the callers' names and inputs instead of the CLI's. */
export type CallersNames = {
  /** The callers' names by the names of the CLI. */
  readonly names: ReadonlyMap<string, string>;
  /** The input of a call as the model gave it, by the caller's name of the tool; the CLI's own report by default. */
  readonly inputOf?: (name: string, input: JsonValue) => JsonValue;
};

/** The end of a call is left as it is. */
export function withCallersNames<Event extends EventDraft | EventBody>(event: Event, { names, inputOf }: CallersNames): Event {
  if (event.type === "session-start") {
    const { tools } = event;
    return tools === undefined ? event : { ...event, tools: tools.map((tool) => names.get(tool) ?? tool) };
  }
  const name = "name" in event && typeof event.name === "string" ? names.get(event.name) : undefined;
  if (name === undefined) return event;
  switch (event.type) {
    case "tool-call":
      return { ...event, name, input: inputOf?.(name, event.input) ?? event.input, executor: "host" };
    case "tool-start":
    case "permission-request":
    case "permission-denied":
      return { ...event, name };
    default:
      return event;
  }
}

export function withCallersName(question: HostQuestion, names: CallersNames["names"]): HostQuestion {
  if (!("kind" in question)) return { ...question, name: names.get(question.name) ?? question.name };
  const { call } = question;
  return { ...question, call: { ...call, name: names.get(call.name) ?? call.name } };
}
