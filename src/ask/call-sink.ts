import type { EventSink } from "../run/event-sink.ts";
import type { BoundTools } from "../schemas/validate-schema.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../spec/json.ts";
import type { InvalidCall } from "../spec/tool.ts";
import type { EventBody } from "../spec/wire/events.ts";

/** Passes events on and checks the calls of native host tools: their arguments get the defaults of the schema. */
export class CallSink implements EventSink {
  private readonly next: EventSink;
  private readonly tools: BoundTools;
  /** The calls without a result, with what is wrong with their arguments; an empty problem if nothing is. */
  private readonly open = new Map<string, InvalidCall>();

  private readonly texts = new Map<string, string[]>();

  constructor(next: EventSink, tools: BoundTools) {
    this.next = next;
    this.tools = tools;
  }

  writeText(messageId: string, text: string): void {
    this.addText(messageId, text);
    this.next.writeText(messageId, text);
  }

  write(event: EventBody & { readonly parentToolId?: string }): void {
    if (event.type === "tool-end" || event.type === "tool-reset") this.open.delete(event.id);
    if (event.type === "text-reset") this.texts.delete(event.messageId);
    if (event.type === "text-delta" && event.parentToolId === undefined) this.addText(event.messageId, event.text);
    const isHostCall = event.type === "tool-call" && event.executor === "host";
    this.next.write(isHostCall ? { ...event, input: this.check(event.id, event.name, toObject(event.input)) } : event);
  }

  /** All texts of the answer, with a blank line between them. */
  text(): string {
    return [...this.texts.values()].map((pieces) => pieces.join("")).join("\n\n");
  }

  /** The calls without a result. */
  calls(): readonly InvalidCall[] {
    return [...this.open.values()];
  }

  private addText(messageId: string, text: string): void {
    const pieces = this.texts.get(messageId);
    if (pieces === undefined) this.texts.set(messageId, [text]);
    else pieces.push(text);
  }

  private check(id: string, name: string, given: JsonObject): JsonObject {
    const { value, problems } = this.tools.get(name)?.(given) ?? { value: given, problems: [`There is no tool ${name}.`] };
    const args = problems.length > 0 ? given : toObject(value);
    this.open.set(id, { id, name, args, problem: problems.join(" ") });
    return args;
  }
}

/** A model can only be wrong in this way if the CLI lets it; the schema then finds what is missing. */
function toObject(value: JsonValue): JsonObject {
  return isJsonObject(value) ? value : {};
}
