import type { JsonValue } from "../spec/json.ts";
import type { PermissionAnswer } from "../spec/stream.ts";
import type {
  EventBody,
  EventDraft,
  PermissionDenied,
  PermissionDeniedDraft,
  ToolEnd,
  ToolEndDraft,
} from "../spec/wire/events.ts";

type OpenCall = {
  readonly id: string;
  readonly name: string;
  readonly input: JsonValue;
  readonly startedAtMs: number;
  readonly parentToolId?: string;
  /** True if the call was complete, so that it may have run. */
  readonly isComplete: boolean;
  /** True if the host runs the call, and whether it has begun to. */
  readonly isOfHost: boolean;
  readonly hasRun: boolean;
  /** When it was denied; it then did not run. */
  readonly deniedAtMs?: number;
};

type EndedCall = ToolEnd & { readonly parentToolId?: string };

export class OpenCalls {
  private readonly clock: { readonly atMs: number };
  private readonly calls = new Map<string, OpenCall>();
  private readonly asked = new AskedCalls();

  constructor(clock: { readonly atMs: number }) {
    this.clock = clock;
  }

  get(id: string): OpenCall | undefined {
    return this.calls.get(id);
  }

  /** The calls in the order in which they began. */
  all(): readonly OpenCall[] {
    return [...this.calls.values()];
  }

  begin({ id, name, parentToolId }: Extract<EventDraft, { type: "tool-start" }>): void {
    const parent = parentToolId === undefined ? {} : { parentToolId };
    const startedAtMs = this.clock.atMs;
    this.calls.set(id, { id, name, input: null, startedAtMs, isComplete: false, isOfHost: false, hasRun: false, ...parent });
  }

  complete({ id, name, input, executor }: Extract<EventDraft, { type: "tool-call" }>): void {
    this.change(id, { name, input, isComplete: true, isOfHost: executor === "host" });
  }

  change(id: string, facts: Partial<OpenCall>): void {
    const call = this.calls.get(id);
    if (call !== undefined) this.calls.set(id, { ...call, ...facts });
  }

  remove(id: string): void {
    this.calls.delete(id);
    this.asked.end(id, this.clock.atMs);
  }

  /** Notes a permission request; one that names no call is about none of them. */
  question({ requestId, id }: Extract<EventDraft, { type: "permission-request" }>): void {
    if (id !== undefined) this.asked.add(requestId, id);
  }

  ask(requestId: string): void {
    this.asked.ask(requestId, this.clock.atMs);
  }

  answer(requestId: string, answer: PermissionAnswer): void {
    this.asked.answer(requestId, answer, this.clock.atMs);
  }

  /** The event of a denial, with the input of the call and the host's reason. */
  deny(draft: PermissionDeniedDraft & { readonly parentToolId?: string }): PermissionDenied & { readonly parentToolId?: string } {
    const { id, input = this.calls.get(id)?.input ?? null, reason = this.asked.reasonOf(id) } = draft;
    this.change(id, { deniedAtMs: this.clock.atMs });
    return { ...draft, input, ...(reason !== undefined && { reason }) };
  }

  /**
   * Ends a call; undefined if it is not open. A denied call without an output has the host's reason as its output. One whose end the CLI did not
   * report (Gemini) ended with its denial.
   */
  end(draft: ToolEndDraft & { readonly parentToolId?: string }, isUnreported: boolean): EndedCall | undefined {
    const call = this.calls.get(draft.id);
    if (call === undefined) return undefined;
    this.calls.delete(draft.id);
    const { id, name, input, startedAtMs, deniedAtMs } = call;
    const reason = deniedAtMs === undefined ? undefined : this.asked.reasonOf(id);
    const endedAtMs = (isUnreported ? deniedAtMs : undefined) ?? this.clock.atMs;
    const permissionWaitMs = this.asked.end(id, this.clock.atMs);
    const parentToolId = draft.parentToolId ?? call.parentToolId;
    return {
      type: "tool-end",
      id,
      name,
      input,
      output: draft.output === null || draft.output === "" ? (reason ?? draft.output) : draft.output,
      isError: draft.isError || (isUnreported && deniedAtMs !== undefined),
      // A CLI may ask before it has announced the call.
      durationMs: draft.durationMs ?? Math.max(0, endedAtMs - startedAtMs - (permissionWaitMs ?? 0)),
      ...(permissionWaitMs !== undefined && { permissionWaitMs }),
      ...(isUnreported && deniedAtMs === undefined && { synthetic: true }),
      ...(draft.details !== undefined && { details: draft.details }),
      ...(parentToolId !== undefined && { parentToolId }),
    };
  }
}

/** `askedAtMs` is when the host was asked. */
type OpenQuestion = { readonly callId: string; readonly askedAtMs?: number };

/** The permission requests of one attempt: how long its calls waited for an answer, and why the host denied a call. */
class AskedCalls {
  private readonly questions = new Map<string, OpenQuestion>();
  private readonly waits = new Map<string, number>();
  private readonly reasons = new Map<string, string>();

  /** The CLI asks about a call. */
  add(requestId: string, callId: string): void {
    this.questions.set(requestId, { callId });
  }

  /** The host is asked. */
  ask(requestId: string, atMs: number): void {
    const question = this.questions.get(requestId);
    if (question !== undefined) this.questions.set(requestId, { ...question, askedAtMs: atMs });
  }

  answer(requestId: string, answer: PermissionAnswer, atMs: number): void {
    const question = this.questions.get(requestId);
    if (question === undefined) return;
    this.questions.delete(requestId);
    this.wait(question, atMs);
    if (answer.behavior === "deny" && answer.message !== "") this.reasons.set(question.callId, answer.message);
  }

  /** The reason that the host gave for its denial of a call. */
  reasonOf(callId: string): string | undefined {
    return this.reasons.get(callId);
  }

  /** Forgets a call that has ended; returns how long it waited, until now if it still waits, and undefined if it never did. */
  end(callId: string, atMs: number): number | undefined {
    for (const [requestId, question] of this.questions) {
      if (question.callId !== callId) continue;
      this.questions.delete(requestId);
      this.wait(question, atMs);
    }
    const waited = this.waits.get(callId);
    this.waits.delete(callId);
    this.reasons.delete(callId);
    return waited;
  }

  private wait({ callId, askedAtMs }: OpenQuestion, atMs: number): void {
    if (askedAtMs !== undefined) this.waits.set(callId, (this.waits.get(callId) ?? 0) + atMs - askedAtMs);
  }
}

type Event = EventBody & { readonly parentToolId?: string };

/** Makes the ids of one attempt unique in the run, also when the CLI uses an id again after its message or call has ended. */
export class EventIds {
  readonly messages: IdSpace;
  readonly calls: IdSpace;
  private readonly prefix: string;

  /** `prefix` makes the ids of this attempt differ from those of other attempts. */
  constructor(prefix: string) {
    this.prefix = prefix;
    this.messages = new IdSpace(prefix);
    this.calls = new IdSpace(prefix);
  }

  withIds(event: Event): Event {
    if (this.prefix === "" && !this.messages.hasRenewed && !this.calls.hasRenewed) return event;
    const inner = this.withOwnIds(event);
    return inner.parentToolId === undefined ? inner : { ...inner, parentToolId: this.calls.idOf(inner.parentToolId) };
  }

  private withOwnIds(event: Event): Event {
    switch (event.type) {
      case "text-delta":
      case "text-end":
      case "text-reset":
      case "reasoning-delta":
        return { ...event, messageId: this.messages.idOf(event.messageId) };
      case "tool-start":
      case "tool-call":
      case "tool-input-delta":
      case "tool-reset":
      case "tool-output-delta":
      case "tool-end":
      case "permission-denied":
        return { ...event, id: this.calls.idOf(event.id) };
      case "permission-request":
        return event.id === undefined ? event : { ...event, id: this.calls.idOf(event.id) };
      default:
        return event;
    }
  }
}

/** The ids of messages, or those of calls. */
class IdSpace {
  private readonly prefix: string;
  private readonly ended = new Set<string>();
  private readonly renewed = new Map<string, string>();

  constructor(prefix: string) {
    this.prefix = prefix;
  }

  /** True if an id was used again. */
  get hasRenewed(): boolean {
    return this.renewed.size > 0;
  }

  /** The id of the run for an id of the CLI. */
  idOf(id: string): string {
    return this.prefix + (this.renewed.get(id) ?? id);
  }

  end(id: string): void {
    this.ended.add(this.renewed.get(id) ?? id);
  }

  /** Notes that a message goes on or a call begins; one that has ended gets another id from here on. */
  use(id: string): void {
    if (this.ended.size > 0 && this.ended.has(this.renewed.get(id) ?? id)) this.renewed.set(id, `${id}+${this.ended.size}`);
  }
}
