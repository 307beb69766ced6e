import { redact } from "../failures/redact.ts";
import type { RunSecrets } from "../failures/secrets.ts";
import type { EventSink } from "../run/run-writer.ts";
import type { PermissionAnswer } from "../spec/stream.ts";
import type { EventBody, EventDraft, ToolEndDraft } from "../spec/wire/events.ts";
import { ALL_COUNTS, type Usage } from "../spec/wire/usage.ts";
import { EventIds, OpenCalls } from "./calls.ts";

type AttemptFacts = {
  /** The last text of the main agent that was not reset. */
  readonly partialText: string;
  /** The usage that the CLI reported last, if it has counts. */
  readonly usage: Usage | undefined;
  readonly denials: readonly string[];
};

/**
 * Passes the events of one attempt to a sink and records them. It adds the name, input and duration to the end of a tool call, and
 * closes the calls that are still open at the end, in the order in which they began.
 */
export class EventLog {
  private readonly sink: EventSink;
  private readonly ids: EventIds;
  private readonly secrets: RunSecrets;
  private readonly open: OpenCalls;
  /** The texts of the last message and the one before it, which is the partial text again if the last message is reset. */
  private texts: { readonly id: string; readonly pieces: string[] }[] = [];
  private usage: Usage | undefined;
  private sawUnsoundUsage = false;
  private readonly denials: string[] = [];
  sessionId: string | undefined;

  /** `prefix` makes the ids of this attempt differ from those of other attempts in the run. No warning shows a text of `secrets`. */
  constructor(clock: { readonly atMs: number }, sink: EventSink, prefix = "", secrets: RunSecrets = () => []) {
    this.open = new OpenCalls(clock);
    this.sink = sink;
    this.ids = new EventIds(prefix);
    this.secrets = secrets;
  }

  add(draft: EventDraft): void {
    switch (draft.type) {
      case "text-delta":
        if (draft.parentToolId === undefined) return this.addMainText(draft.messageId, draft.text);
        this.ids.messages.use(draft.messageId);
        break;
      case "text-end":
        this.write(draft);
        return this.ids.messages.end(draft.messageId);
      case "text-reset":
        if (draft.parentToolId === undefined) this.forgetText(this.ids.messages.idOf(draft.messageId));
        this.write(draft);
        return this.ids.messages.end(draft.messageId);
      case "tool-start":
        return this.startCall(draft);
      case "tool-call":
        this.open.complete(draft);
        break;
      case "input-change":
        return this.open.change(draft.id, { input: draft.input });
      case "tool-reset":
        return this.resetCall(draft.id);
      case "tool-end":
        return this.endCall(draft);
      case "upstream-retry":
        return this.write({ ...withoutSecrets(draft, this.secrets()), by: "cli" });
      case "warning":
        return this.write(withoutSecrets(draft, this.secrets()));
      case "usage":
        return this.addUsage(draft);
      case "session-start":
        this.sessionId = draft.sessionId;
        break;
      case "permission-request":
        this.open.question(draft);
        break;
      case "permission-denied":
        this.denials.push(draft.name);
        return this.write(withoutSecrets(this.open.deny(draft), this.secrets()));
    }
    this.write(draft);
  }

  /** The id of the run for the message that the CLI names as its answer: the last one, if both were shown. */
  answerId(id: string): string {
    const [named, last] = [this.ids.messages.idOf(id), this.texts.at(-1)];
    return last !== undefined && this.texts.some((text) => text.id === named) ? last.id : named;
  }

  /** The id of the last text of the main agent. */
  lastTextId(): string | undefined {
    return this.texts.at(-1)?.id;
  }

  /** Closes the calls that the CLI runs itself; returns those of the host, as the run names them and as the CLI does. */
  leaveHostCalls(): ReadonlyMap<string, string> {
    const host = this.open.all().filter(({ isComplete, isOfHost }) => isComplete && isOfHost);
    for (const { id } of host) this.open.remove(id);
    this.closeOpenCalls();
    return new Map(host.map(({ id }) => [this.ids.calls.idOf(id), id]));
  }

  noteRun(id: string): void {
    this.open.change(id, { hasRun: true });
  }

  /** Notes that the host is asked whether a call may run. */
  noteQuestion(requestId: string): void {
    this.open.ask(requestId);
  }

  noteAnswer(requestId: string, answer: PermissionAnswer): void {
    this.open.answer(requestId, answer);
  }

  /** Closes the calls without an end; an incomplete call did not run and is reset, and so is one that the host has not begun to run. */
  closeOpenCalls(): void {
    for (const { id, isComplete, isOfHost, hasRun } of this.open.all()) {
      if (isComplete && (hasRun || !isOfHost)) this.endCall({ type: "tool-end", id, output: null, isError: false }, true);
      else this.resetCall(id);
    }
  }

  /** The name of an open call of a tool that the CLI runs itself. */
  ownCallName(id: string): string | undefined {
    const call = this.open.get(id);
    return call?.isOfHost === true ? undefined : call?.name;
  }

  facts(): AttemptFacts {
    const { usage, denials } = this;
    return { partialText: this.texts.at(-1)?.pieces.join("") ?? "", usage, denials };
  }

  private addMainText(messageId: string, text: string): void {
    this.ids.messages.use(messageId);
    const id = this.ids.messages.idOf(messageId);
    this.keepText(id, text);
    this.sink.writeText(id, text);
  }

  /** Numbers that cannot be right are left out, with one warning; without a count left the usage is estimated. */
  private addUsage(given: Extract<EventDraft, { type: "usage" }>): void {
    const { draft, hasCounts, dropped } = soundUsage(given);
    if (dropped.length > 0 && !this.sawUnsoundUsage) {
      this.sawUnsoundUsage = true;
      const message = `The CLI reported numbers that cannot be right, and they were left out: ${dropped.join(", ")}.`;
      this.write({ type: "warning", code: "usage-unsound", message });
    }
    if (hasCounts) this.usage = draft?.usage;
    if (draft !== undefined) this.write(draft);
  }

  private write(event: EventBody & { readonly parentToolId?: string }): void {
    this.sink.write(this.ids.withIds(event));
  }

  private forgetText(id: string): void {
    this.texts = this.texts.filter((text) => text.id !== id);
  }

  private keepText(id: string, text: string): void {
    const last = this.texts.at(-1);
    if (last?.id === id) {
      last.pieces.push(text);
      return;
    }
    // A run may print hundreds of megabytes, so only the last text of earlier messages is stored.
    const kept = last === undefined || messageOf(last.id) === messageOf(id) ? this.texts : [last];
    this.texts = [...kept, { id, pieces: [text] }];
  }

  private startCall(draft: Extract<EventDraft, { type: "tool-start" }>): void {
    if (this.open.get(draft.id) !== undefined) return;
    this.ids.calls.use(draft.id);
    this.open.begin(draft);
    this.write(draft);
  }

  private resetCall(id: string): void {
    const call = this.open.get(id);
    if (call === undefined) return;
    this.open.remove(id);
    this.write({ type: "tool-reset", id, ...(call.parentToolId !== undefined && { parentToolId: call.parentToolId }) });
    this.ids.calls.end(id);
  }

  private endCall(draft: ToolEndDraft & { readonly parentToolId?: string }, isUnreported = false): void {
    const ended = this.open.end(draft, isUnreported);
    if (ended === undefined) return;
    this.write(ended);
    this.ids.calls.end(draft.id);
  }
}

/** The id of the message that a text block belongs to: `<message>:<number>` is a block. */
function messageOf(textId: string): string {
  return textId.replace(/:\d+$/, "");
}

/** Warnings and retry reasons of a CLI may quote an API key. */
function withoutSecrets<Draft extends { readonly reason?: string; readonly message?: string }>(
  draft: Draft,
  values: readonly string[],
): Draft {
  const { reason, message } = draft;
  return {
    ...draft,
    ...(reason !== undefined && { reason: redact(reason, values) }),
    ...(message !== undefined && { message: redact(message, values) }),
  };
}

type UsageDraft = Extract<EventDraft, { type: "usage" }>;

/** A usage report without the numbers that cannot be right, and the names of those. */
type SoundUsage = {
  /** Undefined if no number is left. */
  readonly draft: UsageDraft | undefined;
  readonly hasCounts: boolean;
  readonly dropped: readonly string[];
};

/** Leaves out the counts and the cost that are negative, infinite, not a number or too large to be exact. */
function soundUsage(draft: UsageDraft): SoundUsage {
  const { usage, costUsd } = draft;
  const numbers = [...ALL_COUNTS.map((name) => [name, usage[name]] as const), ["costUsd", costUsd] as const];
  const dropped = numbers.filter(([, value]) => value !== undefined && !isSound(value)).map(([name]) => name);
  const hasCounts = ALL_COUNTS.some((name) => usage[name] !== undefined && !dropped.includes(name));
  if (dropped.length === 0) return { draft, hasCounts, dropped };
  const left = Object.fromEntries(Object.entries(usage).filter(([name]) => !dropped.some((other) => other === name)));
  const { costUsd: _, ...rest } = draft;
  const hasCost = costUsd !== undefined && !dropped.includes("costUsd");
  const sound = { ...rest, usage: { ...left, estimated: usage.estimated, scope: usage.scope }, ...(hasCost && { costUsd }) };
  return { draft: hasCounts || hasCost ? sound : undefined, hasCounts, dropped };
}

function isSound(value: unknown): boolean {
  return typeof value === "number" && value >= 0 && value <= Number.MAX_SAFE_INTEGER;
}
