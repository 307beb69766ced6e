import { type JsonObject, objectOf, stringOf } from "../../spec/json.ts";
import type { EventDraft, Finish } from "../../spec/wire/events.ts";
import { addUsage, NO_TOTALS, type Usage, usageSince } from "../../spec/wire/usage.ts";
import type { Fault, TurnEnd, WireStep } from "../../spec/wire/wire.ts";
import { type CountNames, readCounts } from "../kit/counts.ts";
import { AcpCalls } from "./acp-calls.ts";
import type { AcpCli } from "./acp-cli.ts";

/** Updates that say nothing about the answer. */
const SIDE_UPDATES: ReadonlySet<string> = new Set([
  "available_commands_update",
  "config_option_update",
  "current_mode_update",
  "plan",
  "session_info_update",
  "usage_update",
  "user_message_chunk",
]);

const FINISHES: ReadonlyMap<string, Finish> = new Map([
  ["end_turn", "stop"],
  ["max_tokens", "length"],
  ["refusal", "content-filter"],
]);

export class AcpUpdates {
  readonly calls: AcpCalls;
  private readonly cli: AcpCli;
  private usage: Usage | undefined;
  private readonly tally = { hasText: false, hasCalls: false };
  private messages = 0;
  /** The open message: its id in the events, and the CLI's own id if there is one. */
  private open: { readonly id: string; readonly native: string | undefined } | undefined;

  constructor(cli: AcpCli) {
    this.cli = cli;
    this.calls = new AcpCalls(cli);
  }

  read(update: JsonObject): WireStep {
    const kind = stringOf(update["sessionUpdate"]) ?? "";
    const events: EventDraft[] = [];
    this.addCounts(this.cli.countsIn?.(update));
    if (SIDE_UPDATES.has(kind)) return { events, isHeartbeat: true };
    const text = stringOf(objectOf(update["content"])?.["text"]) ?? "";
    if (kind === "agent_message_chunk") this.addText(text, stringOf(update["messageId"]), events);
    else if (kind === "agent_thought_chunk") this.addThought(text, events);
    else if (kind === "tool_call" || kind === "tool_call_update") {
      this.tally.hasCalls = true;
      this.endMessage(events);
      if (kind === "tool_call") this.calls.announce(update, events);
      this.calls.update(update, events);
    } else events.push({ type: "native", value: update });
    return { events };
  }

  end(result: JsonObject): { readonly events: readonly EventDraft[]; readonly turnEnd: TurnEnd } {
    const events: EventDraft[] = [];
    const reason = stringOf(result["stopReason"]) ?? "";
    const fault = this.faultOf(reason, result);
    const answerId = this.open?.id;
    if (fault === undefined) this.endMessage(events);
    this.addCounts(this.cli.countsOf?.(result));
    // The sums of counts, some of which may have come alone.
    const usage = this.usage && usageSince(this.usage, NO_TOTALS);
    if (usage?.inputTokens || usage?.outputTokens) events.push({ type: "usage", usage });
    if (fault !== undefined) return { events, turnEnd: { finish: "error", fault } };
    return { events, turnEnd: { finish: FINISHES.get(reason) ?? "stop", ...(answerId !== undefined && { answerId }) } };
  }

  private faultOf(reason: string, result: JsonObject): Fault | undefined {
    const kind = this.cli.faultKinds?.get(reason);
    if (kind === undefined && FINISHES.has(reason)) return this.cli.faultOf?.(result, this.tally);
    return { kind: kind ?? reason, message: `The CLI ended the turn with "${reason}".`, event: result };
  }

  private addCounts(counts: JsonObject | undefined): void {
    const usage = readCounts(counts, NAMES);
    if (usage !== undefined) this.usage = addUsage(this.usage, usage);
  }

  private addText(text: string, native: string | undefined, into: EventDraft[]): void {
    if (text === "") return;
    if (this.open !== undefined && this.open.native !== native) this.endMessage(into);
    this.tally.hasText = true;
    this.open ??= { id: this.nextId(), native };
    into.push({ type: "text-delta", messageId: this.open.id, text });
  }

  private addThought(text: string, into: EventDraft[]): void {
    if (text !== "") into.push({ type: "reasoning-delta", messageId: this.open?.id ?? `message-${this.messages + 1}`, text });
  }

  private endMessage(into: EventDraft[]): void {
    if (this.open !== undefined) into.push({ type: "text-end", messageId: this.open.id });
    this.open = undefined;
  }

  private nextId(): string {
    this.messages += 1;
    return `message-${this.messages}`;
  }
}

/** The names of the protocol: cached tokens are part of the input, thoughts of the output. */
const NAMES: CountNames = {
  inputTokens: "inputTokens",
  outputTokens: "outputTokens",
  cacheReadTokens: "cachedReadTokens",
  cacheWriteTokens: "cachedWriteTokens",
  reasoningTokens: "thoughtTokens",
};
