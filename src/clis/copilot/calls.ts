import { type BookedCall, CallBook, type MessageLane } from "../../dialects/kit/message-lane.ts";
import { type JsonObject, numberOf, objectOf, stringOf } from "../../spec/json.ts";
import type { EventDraft } from "../../spec/wire/events.ts";

/** The tool calls of a run. Each begins, gets its input and ends once, whichever of Copilot's lines comes first. */
export class CopilotCalls {
  private readonly calls = new CallBook();

  /** The id of a call in the events. */
  idOf(toolCallId: string): string {
    return this.calls.get(toolCallId)?.id ?? toolCallId;
  }

  addInput(data: JsonObject, lane: MessageLane, into: EventDraft[]): void {
    const call = this.announce(data, lane, into);
    const delta = stringOf(data["inputDelta"]) ?? "";
    if (call.state === "announced" && delta !== "") into.push(lane.mark({ type: "tool-input-delta", id: call.id, delta }));
  }

  /** Completes the input. */
  complete(data: JsonObject, lane: MessageLane, into: EventDraft[]): void {
    const call = this.announce(data, lane, into);
    if (call.state !== "announced") return;
    call.state = "complete";
    call.input = data["arguments"] ?? null;
    const { id, name, input } = call;
    into.push(lane.mark({ type: "tool-call", id, name, input, executor: "cli" }));
  }

  addOutput(data: JsonObject, lane: MessageLane, into: EventDraft[]): void {
    const call = this.calls.get(stringOf(data["toolCallId"]) ?? "");
    const delta = stringOf(data["text"]) ?? "";
    if (call === undefined || call.state === "over" || delta === "") return;
    into.push(lane.mark({ type: "tool-output-delta", id: call.id, delta }));
  }

  end(data: JsonObject, lane: MessageLane, into: EventDraft[]): void {
    const call = this.calls.get(stringOf(data["toolCallId"]) ?? "");
    if (call === undefined || call.state === "over") return;
    call.state = "over";
    const { id, name, input } = call;
    const error = objectOf(data["error"]);
    if (error?.["code"] === "denied") into.push(lane.mark({ type: "permission-denied", id, name, input }));
    const isSuccess = data["success"] === true;
    const output = (isSuccess ? objectOf(data["result"])?.["content"] : error?.["message"]) ?? null;
    const exitCode = numberOf(objectOf(data["shellExecution"])?.["exitCode"]);
    const isError = !isSuccess || (exitCode !== undefined && exitCode !== 0);
    const details = exitCode === undefined ? {} : { details: { exitCode } };
    into.push(lane.mark({ type: "tool-end", id, output, isError, ...details }));
  }

  /** A toolCallId that is used again after its end is another call. */
  private announce(data: JsonObject, lane: MessageLane, into: EventDraft[]): BookedCall {
    const toolCallId = stringOf(data["toolCallId"]) ?? "";
    const known = this.calls.get(toolCallId);
    if (known !== undefined && known.state !== "over") return known;
    const name = stringOf(data["toolName"]) ?? stringOf(data["name"]) ?? "";
    const call = this.calls.begin(toolCallId, name);
    into.push(lane.mark({ type: "tool-start", id: call.id, name }));
    return call;
  }
}
