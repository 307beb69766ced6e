import type { JsonValue } from "../spec/json.ts";
import type { PermissionAnswer } from "../spec/stream.ts";
import { type PlainMessage, type StoredMessage, toPlainMessage } from "./model/message.ts";

/** The decision about a call that waits: whether it may run, or its output, if the caller made it. */
export type Decision = PermissionAnswer | { readonly output: JsonValue };

/**
 * One event of a thread: a message of the caller, an answer of the model, the result of a tool call, or a decision about one. It is
 * plain JSON, so that a thread can be stored and resumed by another process.
 */
export type ThreadEvent =
  | { readonly type: "message" | "answer" | "result"; readonly step: number; readonly message: StoredMessage }
  | { readonly type: "decision"; readonly step: number; readonly id: string; readonly decision: Decision };

export type AgentCall = { readonly id: string; readonly name: string; readonly args: Record<string, unknown> };

/** The messages of a thread, for `askWithHistory` and for LangChain. */
export function messagesOf(events: readonly ThreadEvent[]): PlainMessage[] {
  return events.flatMap((event) => (event.type === "decision" ? [] : [toPlainMessage(event.message)]));
}

/** The conversation of an agent: events are only added, and everything else is read from them. */
export class Thread {
  readonly events: ThreadEvent[] = [];
  readonly messages: StoredMessage[] = [];
  /** The number of answers so far; an event after an answer belongs to its step. */
  step = 0;
  /** The steps in a row, before the last one, in which every call failed. */
  private failedBefore = 0;
  private results = new Map<string, StoredMessage>();
  private decisions = new Map<string, Decision>();

  constructor(events: readonly ThreadEvent[] = []) {
    for (const event of events) this.apply(event);
  }

  add(type: "message" | "answer" | "result", message: StoredMessage): void {
    const copy: StoredMessage = JSON.parse(JSON.stringify(message));
    this.apply({ type, step: this.step + (type === "answer" ? 1 : 0), message: copy });
  }

  decide(id: string, decision: Decision): void {
    this.apply({ type: "decision", step: this.step, id, decision });
  }

  /** The calls of the last answer that have no result. */
  openCalls(): readonly AgentCall[] {
    return this.calls().filter(({ id }) => !this.results.has(id));
  }

  /** The steps in a row, up to the last one, in which every call failed. */
  failedSteps(): number {
    const statuses = [...this.results.values()].map(({ data }) => data.status);
    if (statuses.length === 0) return this.failedBefore;
    return statuses.every((status) => status === "error") ? this.failedBefore + 1 : 0;
  }

  /** The last answer, if no message of the caller follows it. */
  lastAnswer(): StoredMessage | undefined {
    const last = this.messages.findLast(({ type }) => type !== "tool");
    return last?.type === "ai" ? last : undefined;
  }

  /** The result of a call of the last answer. */
  resultOf(id: string): StoredMessage | undefined {
    return this.results.get(id);
  }

  decisionOf(id: string): Decision | undefined {
    return this.decisions.get(id);
  }

  private calls(): readonly AgentCall[] {
    return (this.lastAnswer()?.data.tool_calls ?? []).map(({ id = "", name, args }) => ({ id, name, args }));
  }

  private apply(event: ThreadEvent): void {
    this.events.push(event);
    if (event.type === "decision") {
      this.decisions.set(event.id, event.decision);
      return;
    }
    const { message } = event;
    this.messages.push(message);
    if (event.type === "answer") this.beginStep(this.failedSteps());
    else if (event.type === "result") this.results.set(message.data.tool_call_id ?? "", message);
    else this.beginStep(0, 0);
  }

  private beginStep(failedBefore: number, steps = 1): void {
    this.step += steps;
    this.failedBefore = failedBefore;
    this.results = new Map();
    this.decisions = new Map();
  }
}
