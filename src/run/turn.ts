import type { Channel, OpenedChannel, TurnLine, TurnSink } from "../process/channel.ts";
import { Clocks, type ExpiredClock } from "../process/clocks.ts";
import type { StderrEnds } from "../process/stderr-keeper.ts";
import { createFailure } from "../spec/create-failure.ts";
import type { RunEnd } from "../spec/events.ts";
import type { Failure } from "../spec/failure.ts";
import type { JsonValue } from "../spec/json.ts";
import type { Provider } from "../spec/provider.ts";
import type { PromptRequest } from "../spec/request.ts";
import type { PermissionQuestion } from "../spec/stream.ts";
import type { ExitReport, Send, TurnEnd, WireStep } from "../spec/wire.ts";
import { askHost } from "./ask-host.ts";
import { classifyEnding } from "./classify.ts";
import { concludeFailure, concludeTurn, type Demands, failureOfClock } from "./conclude.ts";
import { decodeStep } from "./decode-step.ts";
import { DEFAULT_TIMEOUTS } from "./defaults.ts";
import { CANCELLED } from "./ends.ts";
import { EventLog } from "./event-log.ts";
import { type BreachContext, findBreach } from "./find-breach.ts";
import type { PartContext } from "./part.ts";
import type { RunHost } from "./run-host.ts";
import { baselineOf } from "./wire-of.ts";

/** What one turn is made of. */
export type TurnParts = {
  readonly host: RunHost;
  readonly provider: Provider;
  readonly request: PromptRequest;
  readonly context: PartContext;
  /** Keeps its ids apart from those of the run's other attempts. */
  readonly idPrefix: string;
};

/** Binds a turn of a wire to a line of a channel, with its clocks and its end; whatever happens first ends it, once. */
export class Turn implements TurnSink {
  /** How it ended. */
  readonly ended: Promise<RunEnd>;
  private readonly parts: TurnParts;
  private readonly log: EventLog;
  private resolveEnd: (end: RunEnd) => void = () => {};
  private readonly breachContext: BreachContext;
  private channel: Channel | undefined;
  private line: TurnLine | undefined;
  private clocks: Clocks | undefined;
  private isOver = false;
  private hasMissedLine = false;
  /** What came of the piece of output that is being read, and how much of it only showed that the CLI is alive. */
  private values = 0;
  private heartbeats = 0;

  constructor(parts: TurnParts) {
    const { provider, request, context, idPrefix } = parts;
    const { writer, sink = writer, signal } = context;
    this.parts = parts;
    this.log = new EventLog(writer, sink, idPrefix);
    this.ended = new Promise((resolve) => {
      this.resolveEnd = resolve;
    });
    this.breachContext = { provider, request, toolName: (id) => this.log.openCallName(id) };
    signal.addEventListener("abort", this.cancel, { once: true });
  }

  /** Ends the turn because the run was cancelled. */
  readonly cancel = (): void => this.fail(CANCELLED);

  /** Begins the turn on a channel, as soon as there is one. */
  begin(opened: OpenedChannel): void {
    if (opened instanceof Promise) void opened.then((failure) => this.fail(failure));
    else if ("take" in opened) this.bind(opened);
    else this.fail(opened);
  }

  /** Ends the turn with a failure, unless it is over. */
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
    if (this.line === undefined) return;
    try {
      this.take(this.line.turn.step(native));
    } catch (error) {
      this.onBroken(error);
    }
  }

  onReadEnd(bytes: number, hadValues: boolean): void {
    const isForOthers = this.values === 0 && hadValues;
    if (!isForOthers && (this.values === 0 || this.values > this.heartbeats)) this.clocks?.sawProgress();
    if (!this.isOver) this.guard(() => this.parts.context.writer.flush(isForOthers ? 0 : bytes));
  }

  /** If it was the line that ends the turn, nothing will come any more: a CLI that waits for input has to be let go. */
  onDropped(bytes: number): void {
    if (this.isOver) return;
    this.log.add({ type: "warning", code: "line-too-long", message: `A line of ${bytes} bytes was dropped.` });
    this.hasMissedLine = true;
    if (this.parts.context.onPermission === undefined) this.line?.send([{ close: true }]);
  }

  onStderr(): void {
    this.clocks?.sawProgress();
  }

  onBroken(error: unknown): void {
    const why = error instanceof Error ? error.message : String(error);
    this.fail(createFailure("unclassified", `The output of ${this.parts.provider.label} could not be read: ${why}`));
  }

  onEnd(exit: ExitReport): void {
    const { provider, host } = this.parts;
    this.guard((line) => {
      this.take(line.turn.finish(exit), exit);
      if (this.isOver) return;
      const failure = classifyEnding(provider, { ...exit, ...this.stderr() });
      if (failure.code !== "unknown-option") this.fail(failure);
      else void host.explainUnknownOption(failure, provider).then((explained) => this.fail(explained));
    });
  }

  private bind(channel: Channel): void {
    const { provider, request, context } = this.parts;
    this.channel = channel;
    const timeouts = { ...DEFAULT_TIMEOUTS[request.mode ?? "completion"], ...provider.timeouts, ...request.timeouts };
    const totalMs = context.total === undefined ? undefined : Math.max(1, Math.round(context.total.leftMs()));
    this.clocks = new Clocks({ ...timeouts, ...(totalMs !== undefined && { totalMs }) }, this.expire, () => channel.settle());
    try {
      this.line = channel.take(request, baselineOf(request), this);
      this.apply(this.line.turn.begin());
    } catch (error) {
      this.onBroken(error);
    }
  }

  /** A wire that breaks (one of somebody else), or a full disk, ends its turn and nothing else. */
  private guard(read: (line: TurnLine) => void): void {
    if (this.line === undefined) return;
    try {
      read(this.line);
    } catch (error) {
      this.onBroken(error);
    }
  }

  private stderr(): StderrEnds {
    return this.channel?.stderr() ?? { stderrTail: "" };
  }

  private take(step: WireStep, exit?: ExitReport): void {
    if (this.isOver) return;
    if (step.isHeartbeat === true) this.heartbeats += 1;
    else this.clocks?.sawEvent();
    this.apply(step, exit);
  }

  private apply(step: WireStep, exit?: ExitReport): void {
    const ended = decodeStep(step, this.log, (event) => findBreach(event, this.breachContext));
    if (ended !== undefined && "code" in ended) return this.fail(ended);
    if (step.waitsFor !== undefined) this.clocks?.setWaiting(step.waitsFor);
    if (step.asks !== undefined) for (const question of step.asks) void this.answer(question);
    if (step.send !== undefined) this.line?.send(step.send);
    if (ended !== undefined) this.end(ended, exit);
  }

  private async answer(question: PermissionQuestion): Promise<void> {
    const { onPermission } = this.parts.context;
    const answer = this.line?.turn.answer;
    if (onPermission === undefined || answer === undefined) return;
    this.clocks?.sawQuestion();
    const given = await askHost(question, onPermission);
    this.clocks?.sawAnswer();
    if (!this.isOver) this.guard(() => this.apply(answer(question.requestId, given)));
  }

  private readonly expire = ({ code, afterMs }: ExpiredClock): void => {
    this.guard((line) => {
      this.parts.context.writer.tick();
      // The CLI has given its answer, and what it waits for takes too long.
      if (code === "background") this.take(line.turn.finish({}));
      const { provider, request } = this.parts;
      // The total time is that of the run, of which earlier attempts may have used a part.
      const ms = code === "total-timeout" ? (request.timeouts?.totalMs ?? afterMs) : afterMs;
      this.fail(failureOfClock(provider, code === "background" ? "idle-timeout" : code, ms, this.stderr()));
    });
  };

  private end(reason: TurnEnd | Failure, exit?: ExitReport): void {
    const { writer, signal } = this.parts.context;
    const hasFailed = "code" in reason;
    const end = hasFailed
      ? concludeFailure(this.log, reason)
      : concludeTurn(this.log, reason, this.demands(), { ...exit, ...this.stderr() });
    this.isOver = true;
    this.clocks?.stop();
    signal.removeEventListener("abort", this.cancel);
    // Events that came with a good end are handed over together with it, so that no listener stops a finished answer.
    if (end.failure !== undefined) writer.flush();
    this.resolveEnd(end);
    if (hasFailed) this.line?.drop(() => this.farewell());
    else this.line?.release();
  }

  private demands(): Demands {
    const { provider, request } = this.parts;
    return {
      provider,
      promptLength: request.prompt.length + (request.system?.length ?? 0),
      wantsObject: request.outputSchema !== undefined,
      failOnDenial: request.onPermissionDenied === "error",
      hasMissedLine: this.hasMissedLine,
    };
  }

  /** What is said to a process that goes on with other turns. */
  private farewell(): readonly Send[] {
    try {
      return this.line?.turn.interrupt().send ?? [];
    } catch {
      return [];
    }
  }
}
