import type { Failure } from "../spec/failure/failure.ts";
import { defined, type JsonObject, type JsonValue, objectOf } from "../spec/json.ts";
import type { HostCall, InvalidCall } from "../spec/message.ts";
import {
  type AttemptRecord,
  type PermissionDenial,
  type RunResult,
  type RunWarning,
  type ToolCallRecord,
  toRunWarning,
} from "../spec/result.ts";
import type { RunEnd, RunEvent } from "../spec/wire/events.ts";

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

export class Collector {
  /** Only the last message can be the answer, so only its text is kept. */
  private lastMessage = "";
  private lastPieces: string[] = [];
  private readonly toolCalls: ToolCallRecord[] = [];
  private hostCalls: readonly HostCall[] = [];
  private readonly invalidCalls: InvalidCall[] = [];
  private readonly denials: PermissionDenial[] = [];
  private readonly warnings: RunWarning[] = [];
  private readonly attempts: AttemptRecord[] = [];
  /** The target of the attempt in progress or, after a fallback, of the next one. */
  private asked: Pick<AttemptRecord, "model"> & Partial<Pick<AttemptRecord, "provider">> = {};
  private readonly kept: RunEvent[] | undefined;
  private readonly found: Partial<Mutable<RunResult>> = {};

  constructor(keepEvents = false) {
    this.kept = keepEvents ? [] : undefined;
  }

  add(event: RunEvent): void {
    this.kept?.push(event);
    switch (event.type) {
      case "text-delta":
        if (event.parentToolId === undefined) this.addText(event.messageId, event.text);
        break;
      case "text-reset":
        if (event.parentToolId === undefined && event.messageId === this.lastMessage) this.forgetText("");
        break;
      case "tool-call":
        if (event.executor === "host") this.addHostCall(event);
        break;
      case "tool-call-invalid":
        this.invalidCalls.push({ id: event.id, name: event.name, args: toObject(event.input), problem: event.problem });
        break;
      case "tool-reset":
        this.endHostCall(event.id);
        break;
      case "tool-end":
        this.toolCalls.push(toRecord(event));
        this.endHostCall(event.id);
        break;
      case "permission-denied":
        this.denials.push(toDenial(event));
        break;
      case "warning":
        this.warnings.push(toRunWarning(event));
        break;
      default:
        this.note(event);
    }
  }

  result(): RunResult {
    const { toolCalls, warnings, denials: permissionDenials } = this;
    const { text = "", finish = "error", ...found } = this.found;
    return {
      text,
      toolCalls,
      ...(this.hostCalls.length > 0 && { hostCalls: this.hostCalls }),
      ...(this.invalidCalls.length > 0 && { invalidCalls: this.invalidCalls }),
      permissionDenials,
      warnings,
      finish,
      ...this.asked,
      ...found,
      ...(this.attempts.length > 1 && { attempts: this.attempts }),
      ...(this.kept && { events: this.kept }),
    };
  }

  resultAt({ finish, failure, answerId }: RunEnd): RunResult {
    const { sessionId, ...rest } = this.result();
    const text = failure === undefined && answerId === this.lastMessage ? this.lastPieces.join("") : "";
    return {
      ...rest,
      text,
      finish,
      ...defined({ sessionId: failure?.code === "session-unknown" ? undefined : sessionId, failure }),
    };
  }

  private endHostCall(callId: string): void {
    if (this.hostCalls.length > 0) this.hostCalls = this.hostCalls.filter(({ id }) => id !== callId);
  }

  /** A call that has no end yet is left to the caller. */
  private addHostCall({ id, name, input }: Extract<RunEvent, { type: "tool-call" }>): void {
    this.hostCalls = [...this.hostCalls, { id, name, args: toObject(input) }];
  }

  private addText(messageId: string, text: string): void {
    if (messageId !== this.lastMessage) this.forgetText(messageId);
    this.lastPieces.push(text);
  }

  private forgetText(next: string): void {
    this.lastMessage = next;
    this.lastPieces = [];
  }

  private forgetAttempt(): void {
    delete this.found.object;
    delete this.found.sessionId;
    delete this.found.model;
  }

  /** A target can fail without an attempt: it rests after failures, or it is not installed. */
  private endAttempt(target: AttemptRecord, failure: Failure): void {
    const last = this.attempts.at(-1);
    const isOver = last === undefined || last.failure !== undefined || last.provider !== target.provider;
    this.attempts.splice(isOver ? this.attempts.length : -1, 1, { ...(isOver ? target : last), failure });
  }

  private noteFailure(failure: Failure): void {
    this.found.failure = failure;
    if (failure.code === "session-unknown") delete this.found.sessionId;
    if (this.attempts.length > 0) this.endAttempt(this.askedTarget(), failure);
  }

  private askedTarget(): AttemptRecord {
    return { ...this.asked, provider: this.asked.provider ?? "" };
  }

  private note(event: RunEvent): void {
    switch (event.type) {
      case "run-start":
        if (event.provider !== undefined) this.asked = toTarget(event.provider, event.model);
        break;
      case "attempt-start":
        if (event.failureBefore !== undefined) {
          this.forgetAttempt();
          this.endAttempt(this.askedTarget(), event.failureBefore);
        }
        this.asked = toTarget(event.provider, event.model);
        this.attempts.push(this.askedTarget());
        break;
      case "retry":
        this.forgetAttempt();
        this.endAttempt(this.askedTarget(), event.failure);
        break;
      case "fallback":
        this.forgetAttempt();
        this.endAttempt(toTarget(event.from, event.fromModel), event.failure);
        this.asked = toTarget(event.to, event.toModel);
        break;
      case "session-start":
        if (event.isStored !== false) this.found.sessionId = event.sessionId;
        if (event.model !== undefined) this.found.model = event.model;
        break;
      case "object-delta":
        if (event.isPartial !== true) this.found.object = event.object;
        break;
      case "usage":
        this.found.usage = event.usage;
        if (event.costUsd !== undefined) this.found.costUsd = event.costUsd;
        if (event.costScope !== undefined) this.found.costScope = event.costScope;
        break;
      case "run-end":
        this.found.finish = event.finish;
        if (event.failure !== undefined) this.noteFailure(event.failure);
        else if (event.answerId === this.lastMessage) this.found.text = this.lastPieces.join("");
        break;
    }
  }
}

/** Never throws. `events` is the complete list. */
export function collect(events: Iterable<RunEvent>): RunResult {
  const collector = new Collector();
  for (const event of events) collector.add(event);
  return collector.result();
}

function toTarget(provider: string, model: string | undefined): AttemptRecord {
  return defined({ provider, model });
}

/** The arguments of a host tool are always an object; any other value becomes an empty one. */
function toObject(input: JsonValue): JsonObject {
  return objectOf(input) ?? {};
}

function toRecord(event: Extract<RunEvent, { type: "tool-end" }>): ToolCallRecord {
  const { id, name, isError, durationMs, permissionWaitMs, parentToolId } = event;
  const [input = null, output = null]: readonly JsonValue[] = [event.input, event.output];
  const synthetic = event.synthetic === true ? true : undefined;
  return defined({ id, name, input, output, isError, durationMs, permissionWaitMs, synthetic, parentToolId });
}

function toDenial({ id, name, input, reason }: Extract<RunEvent, { type: "permission-denied" }>): PermissionDenial {
  return defined({ id, name, input, reason });
}
