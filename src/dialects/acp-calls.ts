import type { EventDraft } from "../spec/events.ts";
import type { JsonObject, JsonValue } from "../spec/json.ts";
import { listOf, objectOf, stringOf } from "./json-access.ts";

/** A tool call as it is reported in events. */
export type AcpCall = { readonly id: string; readonly name: string; readonly input: JsonValue };

type OpenCall = { readonly id: string; name: string; input: JsonValue; isComplete: boolean; isOver: boolean };

/** The tool calls of a turn. Each begins, gets its input and ends once, whichever message names it first. */
export class AcpCalls {
  private readonly nameOf: (call: JsonObject) => string | undefined;
  private readonly calls = new Map<string, OpenCall>();
  private readonly times = new Map<string, number>();

  constructor(nameOf: ((call: JsonObject) => string | undefined) | undefined) {
    this.nameOf = nameOf ?? ((call) => stringOf(call["title"]));
  }

  /** Begins the call if it is new, and completes it once its input is known or it runs. */
  announce(call: JsonObject, into: EventDraft[]): AcpCall {
    const known = this.find(call, into);
    const input = call["rawInput"] ?? known.input;
    if (!known.isComplete) {
      known.input = input;
      // OpenCode announces a call while the model still writes its input.
      if (call["status"] !== "pending" || call["sessionUpdate"] === undefined) this.complete(known, into);
    }
    return known;
  }

  /** Reads an update of a call. */
  update(call: JsonObject, into: EventDraft[]): void {
    const known = this.find(call, into);
    if (known.isOver) return;
    this.announce(call, into);
    const { status } = call;
    if (status !== "completed" && status !== "failed") return;
    known.isOver = true;
    into.push({ type: "tool-end", id: known.id, output: outputOf(call), isError: status === "failed" });
  }

  private complete(call: OpenCall, into: EventDraft[]): void {
    const { id, name, input } = call;
    call.isComplete = true;
    into.push({ type: "tool-call", id, name, input, executor: "cli" });
  }

  /** An id that is used again after its end is another call. */
  private find(call: JsonObject, into: EventDraft[]): OpenCall {
    const callId = stringOf(call["toolCallId"]) ?? "";
    const known = this.calls.get(callId);
    const isUpdate = call["sessionUpdate"] === "tool_call_update";
    if (known !== undefined && (!known.isOver || isUpdate)) return known;
    const times = this.times.get(callId) ?? 0;
    this.times.set(callId, times + 1);
    const id = times === 0 ? callId : `${callId}:${times}`;
    const begun: OpenCall = { id, name: this.nameOf(call) ?? "", input: null, isComplete: false, isOver: false };
    this.calls.set(callId, begun);
    into.push({ type: "tool-start", id, name: begun.name });
    return begun;
  }
}

/** The output that the CLI shows, or the one that it gave the model. */
function outputOf(call: JsonObject): JsonValue {
  const texts = listOf(call["content"]).flatMap((part) => stringOf(objectOf(objectOf(part)?.["content"])?.["text"]) ?? []);
  return texts.length > 0 ? texts.join("\n") : (call["rawOutput"] ?? null);
}
