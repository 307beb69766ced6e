import { redactFailure } from "../failures/redact.ts";
import type { Channel, OpenedChannel, TurnHandle, TurnSink } from "../process/channel.ts";
import { Clocks, type ExpiredClock } from "../process/clocks.ts";
import type { DroppedLine } from "../process/native-reader.ts";
import { createFailure } from "../spec/create-failure.ts";
import { NO_STEP } from "../spec/define-wire.ts";
import type { EventDraft, RunEnd } from "../spec/events.ts";
import type { Failure } from "../spec/failure.ts";
import type { JsonValue } from "../spec/json.ts";
import type { Provider } from "../spec/provider.ts";
import type { PromptRequest } from "../spec/request.ts";
import type { PermissionQuestion } from "../spec/stream.ts";
import type { ExitReport, Send, TurnEnd, WireStep } from "../spec/wire.ts";
import { askHost } from "./ask-host.ts";
import { classifyEnding, type Ending } from "./classify.ts";
import { concludeFailure, concludeTurn, demandsOf, failureOfClock, failureOfCut } from "./conclude.ts";
import { decodeStep } from "./decode-step.ts";
import { DEFAULT_TIMEOUTS } from "./defaults.ts";
import { warnOfDropped } from "./dropped-line.ts";
import { CANCELLED } from "./ends.ts";
import { EventLog } from "./event-log.ts";
import { type BreachContext, findBreach } from "./find-breach.ts";
import type { PartContext } from "./part.ts";
import type { RunHost } from "./run-host.ts";
import { type RunSecrets, secretsOf } from "./run-secrets.ts";
import { baselineOf } from "./wire-of.ts";

/** The host, provider, request and context of one turn. */
export type TurnParts = {
  readonly host: RunHost;
  readonly provider: Provider;
  readonly request: PromptRequest;
  readonly context: PartContext;
  /** Makes the ids of this attempt differ from those of the run's other attempts. */
  readonly idPrefix: string;
};

/**
 * Runs one turn of a wire on a channel and watches its clocks. The turn ends once: by its end, a failure, a clock or a cancel.
 */
export class Turn implements TurnSink {
  /** Resolves with the end of the turn; never rejects. */
  readonly ended: Promise<RunEnd>;
  private readonly parts: TurnParts;
  private readonly log: EventLog;
  private readonly secrets: RunSecrets;
  private resolveEnd: (end: RunEnd) => void = () => {};
  private readonly findBreach: (event: EventDraft) => Failure | undefined;
  private channel: Channel | undefined;
  private handle: TurnHandle | undefined;
  private clocks: Clocks | undefined;
  private isOver = false;
  private isProcessLost = false;
  private hasMissedLine = false;
  /** The number of values in the chunk that is being read, and how many of them were only heartbeats. */
  private values = 0;
  private heartbeats = 0;

  constructor(parts: TurnParts) {
    const { host, provider, request, context, idPrefix } = parts;
    const { writer, sink = writer, signal } = context;
    this.parts = parts;
    this.secrets = secretsOf(provider, request, host.env);
    this.log = new EventLog(writer, sink, idPrefix, this.secrets);
    this.ended = new Promise((resolve) => {
      this.resolveEnd = resolve;
    });
    const breachContext: BreachContext = { provider, request, toolName: (id) => this.log.openCallName(id) };
    this.findBreach = (event) => findBreach(event, breachContext);
    signal.addEventListener("abort", this.cancel, { once: true });
  }

  /** True if the process ended during the turn. */
  get hasLostProcess(): boolean {
    return this.isProcessLost;
  }

  /** Ends the turn because the run was cancelled. */
  readonly cancel = (): void => this.fail(CANCELLED);

  /** Begins the turn on a channel, or fails it if the channel could not be opened; a turn that has ended takes nothing. */
  begin(opened: OpenedChannel): void {
    if (opened instanceof Promise) opened.then((failure) => this.fail(failure)).catch((error) => this.onBroken(error));
    else if ("take" in opened) this.bind(opened);
    else this.fail(opened);
  }

  /** Ends the turn with a failure; does nothing if it has ended. */
  fail(failure: Failure): void {
    if (this.isOver) return;
    this.parts.context.writer.tick();
    this.end(failure);
  }

  onRead(): void {
    this.parts.context.writer.tick();
    this.values = 0;
    this.heartbeats = 0;
  }

  onValue(native: JsonValue): void {
    this.values += 1;
    if (this.handle === undefined) return;
    // As `guard` does, but without a closure for each value.
    try {
      this.take(this.handle.turn.step(native));
    } catch (error) {
      this.onBroken(error);
    }
  }

  onReadEnd(bytes: number, hadValues: boolean): void {
    const isForOthers = this.values === 0 && hadValues;
    if (!isForOthers && (this.values === 0 || this.values > this.heartbeats)) this.clocks?.sawProgress();
    if (!this.isOver) this.guard(() => this.parts.context.writer.flush(isForOthers ? 0 : bytes));
  }

  /** The dropped line may have been the end of the turn. Then a CLI that reads stdin would wait forever, so stdin is closed. */
  onDropped(line: DroppedLine): void {
    if (this.isOver) return;
    this.log.add(warnOfDropped(line));
    this.hasMissedLine = true;
    if (this.parts.context.onPermission === undefined) this.handle?.send([{ close: true }]);
  }

  onStderr(): void {
    this.clocks?.sawProgress();
  }

  onBroken(error: unknown): void {
    const why = error instanceof Error ? error.message : String(error);
    this.fail(createFailure("unclassified", `The output of ${this.parts.provider.label} could not be read: ${why}`));
  }

  onEnd(exit: ExitReport): void {
    this.isProcessLost = true;
    const { provider, host } = this.parts;
    if (exit.isCut === true) return this.fail(failureOfCut(provider, this.stderr()));
    this.guard((handle) => {
      this.take(handle.turn.finish(exit), exit);
      if (this.isOver) return;
      const failure = classifyEnding(provider, { ...exit, ...this.stderr() });
      if (failure.code !== "unknown-option") this.fail(failure);
      else {
        this.clocks?.stop();
        const explained = host.explainUnknownOption(failure, provider).catch(() => failure);
        explained.then((complete) => this.fail(complete)).catch((error) => this.onBroken(error));
      }
    });
  }

  private bind(channel: Channel): void {
    if (this.isOver) return;
    const { provider, request, context } = this.parts;
    this.channel = channel;
    const timeouts = { ...DEFAULT_TIMEOUTS[request.mode ?? "completion"], ...provider.timeouts, ...request.timeouts };
    const totalMs = context.total === undefined ? undefined : Math.max(1, Math.round(context.total.leftMs()));
    this.clocks = new Clocks({ ...timeouts, ...(totalMs !== undefined && { totalMs }) }, this.expire, () => channel.settle());
    try {
      this.handle = channel.take(request, baselineOf(request), this);
      this.apply(this.handle.turn.begin());
    } catch (error) {
      this.onBroken(error);
    }
  }

  /** A wire from outside this package may throw, and so may a write to a full disk: only this turn fails then. */
  private guard(read: (handle: TurnHandle) => void): void {
    if (this.handle === undefined) return;
    try {
      read(this.handle);
    } catch (error) {
      this.onBroken(error);
    }
  }

  private stderr(): Ending {
    return { ...(this.channel?.stderr() ?? { stderrTail: "" }), secrets: this.secrets };
  }

  private take(step: WireStep, exit?: ExitReport): void {
    if (this.isOver) return;
    if (step.isHeartbeat === true) this.heartbeats += 1;
    else this.clocks?.sawEvent();
    this.apply(step, exit);
  }

  private apply(step: WireStep, exit?: ExitReport): void {
    const ended = decodeStep(step, this.log, this.findBreach, this.sawTool);
    if (ended !== undefined && "code" in ended) return this.fail(ended);
    if (step.waitsFor !== undefined) this.clocks?.setWaiting(step.waitsFor);
    if (step.asks !== undefined) for (const question of step.asks) this.answer(question).catch((error) => this.onBroken(error));
    if (step.send !== undefined) this.handle?.send(step.send);
    if (ended !== undefined) this.end(ended, exit);
  }

  private async answer(question: PermissionQuestion): Promise<void> {
    const { onPermission, writer } = this.parts.context;
    if (onPermission === undefined || this.handle?.turn.answer === undefined) return;
    this.clocks?.sawQuestion();
    const { answer, problem } = await askHost(question, onPermission);
    this.clocks?.sawAnswer();
    if (this.isOver) return;
    this.guard(({ turn }) => {
      writer.tick();
      if (problem !== undefined) this.log.add({ type: "warning", code: "permission-undecided", message: problem });
      this.apply(turn.answer?.(question.requestId, answer) ?? NO_STEP);
      if (!this.isOver) writer.flush();
    });
  }

  private readonly sawTool = (): void => this.channel?.sawTool();

  private readonly expire = ({ code, afterMs }: ExpiredClock): void => {
    this.guard((handle) => {
      this.parts.context.writer.tick();
      // The CLI has given its answer, and its background work or its next turn takes too long.
      if (code === "background") this.take(handle.turn.finish({}));
      const { provider, request } = this.parts;
      // The failure names the run's total timeout; this clock had only the time that earlier attempts left.
      const ms = code === "total-timeout" ? (request.timeouts?.totalMs ?? afterMs) : afterMs;
      this.fail(failureOfClock(provider, code === "background" ? "idle-timeout" : code, ms, this.stderr()));
    });
  };

  private end(reason: TurnEnd | Failure, exit?: ExitReport): void {
    const { signal } = this.parts.context;
    const hasFailed = "code" in reason;
    const end = hasFailed
      ? concludeFailure(this.log, redactFailure(reason, this.secrets()))
      : concludeTurn(this.log, reason, demandsOf(this.parts, this.hasMissedLine), { ...exit, ...this.stderr() });
    this.isOver = true;
    this.clocks?.stop();
    signal.removeEventListener("abort", this.cancel);
    this.resolveEnd(end);
    if (hasFailed) this.handle?.drop(() => this.interruptSends(), reason.category === "cancelled");
    else this.handle?.release();
  }

  /** What the wire sends to interrupt this turn; the process goes on with its other turns. */
  private interruptSends(): readonly Send[] {
    try {
      return this.handle?.turn.interrupt().send ?? [];
    } catch {
      return [];
    }
  }
}
