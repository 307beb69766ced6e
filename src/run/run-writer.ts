import type { RunSecrets } from "../failures/secrets.ts";
import type { Failure } from "../spec/failure/failure.ts";
import { defined } from "../spec/json.ts";
import type { SilentRetries } from "../spec/provider/provider.ts";
import type { RunBatch } from "../spec/run-listener.ts";
import type { AttemptStart, EventBody, Notice, RunEvent, UpstreamRetry } from "../spec/wire/events.ts";
import { addUsage, type Usage } from "../spec/wire/usage.ts";
import { addCost, type Spent, tokensOf } from "./known-totals.ts";

/** `weight` is the approximate size of the batch in bytes, if it is known. */
type BatchSink = (batch: readonly RunEvent[], weight?: number) => void;

/**
 * Writes the events of one run: numbers and times them, numbers the attempts, adds up their usage and cost, and records what was
 * shown and done.
 */
export class RunWriter implements EventSink {
  readonly runId: string;
  /** Milliseconds since the run began, at the last `tick`; all events of one chunk have the same time. */
  atMs = 0;
  attempts = 0;
  /** The id of the provider of the last attempt. */
  provider: string | undefined;
  /** False if the CLI of the last attempt does not store its session. */
  keepsSession = true;
  /** What was shown and done since `forgetTrace`. */
  trace: PartTrace = new PartTrace();
  /** The session that the CLI reported last, as it names it. */
  sessionId: string | undefined;
  session: RunBatch["session"];
  /** The secrets that the processes of the attempts know, those of the CLI's own settings too. */
  readonly secrets: RunSecrets[] = [];
  /** The tokens and the cost of all attempts together. */
  usage: Usage | undefined;
  costUsd: number | undefined;
  costScope: "thread" | undefined;
  /** The part of them that this run is known to have caused, for budgets: without the totals of sessions. */
  caused: Spent = { usd: 0, tokens: 0 };
  private readonly now: () => number;
  private readonly startedAt: number;
  private readonly onBatch: BatchSink;
  private seq = 0;
  private pending: RunEvent[] = [];
  private processes = 0;
  private repeated: Failure | undefined;
  private usageBefore: Usage | undefined;
  private costBefore: number | undefined;
  private costScopeBefore: "thread" | undefined;
  private causedBefore: Spent = { usd: 0, tokens: 0 };
  private readonly warned = new Map<object, Set<string>>();
  private readonly listeners = new Set<() => void>();
  private readonly completers = new Set<() => void>();

  constructor(runId: string, now: () => number, onBatch: BatchSink) {
    this.runId = runId;
    this.now = now;
    this.startedAt = now();
    this.onBatch = onBatch;
  }

  tick(): void {
    this.atMs = Math.round(this.now() - this.startedAt);
  }

  /** Adds an event to the next flush. */
  write(event: EventBody & { readonly parentToolId?: string }): void {
    this.trace.note(event);
    this.pending.push({ ...this.complete(event), seq: this.seq++, atMs: this.atMs });
  }

  /** Adds a `text-delta`; an object literal is faster than a copy of an event. */
  writeText(messageId: string, text: string): void {
    this.trace.noteText(messageId);
    this.pending.push({ type: "text-delta", messageId, text, seq: this.seq++, atMs: this.atMs });
  }

  /** Adds a warning unless the run has already given it about the same object, such as a target. */
  warnOnce(about: object, warning: Notice): void {
    const given = this.warned.get(about) ?? new Set();
    if (given.has(warning.message)) return;
    this.warned.set(about, given.add(warning.message));
    this.write({ type: "warning", ...warning });
  }

  /** Begins the next attempt and returns the prefix of its ids, which makes them unique in the run. */
  beginAttempt(start: Omit<AttemptStart, "type" | "attempt">): string {
    this.attempts += 1;
    this.provider = start.provider;
    this.settleUsage();
    this.tick();
    this.write(defined({ type: "attempt-start", ...start, attempt: this.attempts, failureBefore: this.repeated }));
    this.repeated = undefined;
    return this.idPrefix();
  }

  /** What was reported so far belongs to earlier attempts; the next report is added to it. */
  settleUsage(): void {
    this.usageBefore = this.usage;
    this.costBefore = this.costUsd;
    this.costScopeBefore = this.costScope;
    this.causedBefore = this.caused;
  }

  /** The attempt failed, and the next one repeats it without a `retry` event, because no policy decided it. */
  repeats(failure: Failure | undefined): void {
    this.repeated = failure;
  }

  /** Empty for the first attempt. */
  idPrefix(): string {
    return this.attempts > 1 ? `${this.attempts}:` : "";
  }

  /** Begins a new trace, so that earlier events do not prevent a repetition of what follows. */
  forgetTrace(): void {
    this.trace = new PartTrace();
  }

  /** The id of the run's next process; the first process has the id of the run. */
  nextProcessId(): string {
    this.processes += 1;
    return this.processes === 1 ? this.runId : `${this.runId}+${this.processes}`;
  }

  flush(weight?: number): void {
    for (const complete of this.completers) complete();
    const batch = this.take();
    if (batch.length === 0) return;
    this.onBatch(batch, weight);
    for (const listener of this.listeners) listener();
  }

  /** Returns and removes the events since the last flush. */
  take(): readonly RunEvent[] {
    const batch = this.pending;
    this.pending = [];
    return batch;
  }

  /** Returns the function that removes the listener. */
  onFlush(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Calls the function before each flush, so that it can add an event to the batch; returns the function that removes it. */
  beforeFlush(complete: () => void): () => void {
    this.completers.add(complete);
    return () => this.completers.delete(complete);
  }

  private complete(event: EventBody): EventBody {
    if (event.type === "usage") return this.addUp(event);
    if (event.type !== "session-start") return event;
    this.sessionId = event.sessionId;
    return this.keepsSession ? event : { ...event, isStored: false };
  }

  private addUp(event: Extract<EventBody, { type: "usage" }>): EventBody {
    this.usage = addUsage(this.usageBefore, event.usage);
    // A later total of a session, or of its copy, contains the earlier one.
    const added = event.costScope === "thread" && this.costScopeBefore === "thread" ? 0 : (this.costBefore ?? 0);
    if (event.costUsd !== undefined) this.costUsd = added === 0 ? event.costUsd : addCost(added, event.costUsd);
    this.costScope ??= event.costScope;
    this.caused = this.causedBy(event);
    const costUsd = event.costUsd === undefined && this.costBefore === undefined ? undefined : this.costUsd;
    return defined({ ...event, usage: this.usage, costUsd, costScope: this.costScope });
  }

  /** A report of an attempt replaces its earlier one, but a report without a cost leaves the cost. */
  private causedBy({ usage, costUsd, costScope }: Extract<EventBody, { type: "usage" }>): Spent {
    const { usd, tokens } = this.causedBefore;
    return {
      usd: costUsd === undefined ? this.caused.usd : costScope === undefined ? addCost(usd, costUsd) : usd,
      tokens: usage.scope === "thread" ? tokens : tokens + tokensOf(usage),
    };
  }
}

export type EventSink = {
  write(event: EventBody & { readonly parentToolId?: string }): void;
  /** Writes a `text-delta`; a separate method, because most events are these. */
  writeText(messageId: string, text: string): void;
};

/** Records what a part has shown and which tools ran; a policy decides by it whether the part may be repeated. */
export class PartTrace {
  hasBegun = false;
  /** Also true if a tool may have run. */
  hasActed = false;
  /** True if a part of an answer was shown. */
  hasShown = false;
  /** The host tools of the last attempt that are tools of the CLI; a call of one has an effect only when a function runs. */
  hostTools: ReadonlySet<string> = new Set();
  /** The ids of messages with text or reasoning that were not reset. */
  readonly messageIds: Set<string> = new Set();
  /** How often the CLI itself repeated its request, how long it waited for that in all, and its last report about it. */
  upstreamRetries = 0;
  upstreamWaitMs = 0;
  lastUpstreamRetry: UpstreamRetry | undefined;
  /** How often the CLI of the last attempt repeats a failed request without an event. */
  silentRetries: SilentRetries = {};
  private lastMessageId: string | undefined;

  noteText(messageId: string): void {
    // The fast path: most events are pieces of the same message.
    if (messageId === this.lastMessageId) return;
    this.hasShown = true;
    this.messageIds.add(messageId);
    this.lastMessageId = messageId;
  }

  note(event: EventBody): void {
    switch (event.type) {
      case "text-delta":
      case "reasoning-delta":
        return this.noteText(event.messageId);
      case "text-reset":
        this.messageIds.delete(event.messageId);
        this.lastMessageId = undefined;
        return;
      case "object-delta":
        // The next value replaces a partial one, whichever attempt it comes from.
        if (event.isPartial !== true) this.hasShown = true;
        return;
      case "tool-start":
      case "tool-call":
      case "tool-end":
        this.hasActed ||= !this.hostTools.has(event.name);
        return;
      case "file-change":
      case "permission-request":
        this.hasActed = true;
        return;
      case "upstream-retry":
        this.upstreamRetries += 1;
        this.upstreamWaitMs += event.delayMs ?? 0;
        this.lastUpstreamRetry = event;
        return;
      case "attempt-start":
        this.hasBegun = true;
    }
  }
}
