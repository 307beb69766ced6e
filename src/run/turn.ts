import type { Channel, TurnLine, TurnSink } from "../process/channel.ts";
import { Clocks, type ExpiredClock } from "../process/clocks.ts";
import type { StderrEnds } from "../process/stderr-keeper.ts";
import { createFailure } from "../spec/create-failure.ts";
import type { Failure } from "../spec/failure.ts";
import type { JsonValue } from "../spec/json.ts";
import type { Provider } from "../spec/provider.ts";
import type { PromptRequest } from "../spec/request.ts";
import type { PermissionQuestion, RunContext } from "../spec/stream.ts";
import type { ExitReport, Send, TurnEnd, WireStep } from "../spec/wire.ts";
import { askHost } from "./ask-host.ts";
import { classifyEnding } from "./classify.ts";
import { concludeFailure, concludeTurn, type Demands, failureOfClock } from "./conclude.ts";
import { decodeStep } from "./decode-step.ts";
import { DEFAULT_TIMEOUTS } from "./defaults.ts";
import type { EventLog } from "./event-log.ts";
import { explainUnknownOption } from "./explain-unknown-option.ts";
import { type BreachContext, findBreach } from "./find-breach.ts";
import type { RunHost } from "./run-host.ts";
import { baselineOf } from "./wire-of.ts";

/** What one turn is made of, and who is told what became of it. */
export type TurnParts = {
  readonly host: RunHost;
  readonly provider: Provider;
  readonly request: PromptRequest;
  readonly onPermission?: RunContext["onPermission"];
  readonly log: EventLog;
  /** The log has what was read of so many bytes. */
  flush(weight: number): void;
  /** The log has the end of the turn. */
  onEnd(): void;
};

/** Binds a turn of a wire to a line of a channel, with its clocks and its end; whatever happens first ends it, once. */
export class Turn implements TurnSink {
  private readonly parts: TurnParts;
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
    const { provider, request, log } = parts;
    this.parts = parts;
    this.breachContext = { provider, request, toolName: (id) => log.openCallName(id) };
  }

  /** Begins the turn on a channel, as soon as there is one. */
  begin(opened: Channel | Failure | Promise<Failure>): void {
    if (opened instanceof Promise) void opened.then((failure) => this.fail(failure));
    else if ("take" in opened) this.bind(opened);
    else this.fail(opened);
  }

  /** Ends the turn with a failure, unless it is over. */
  fail(failure: Failure): void {
    if (this.isOver) return;
    this.parts.log.tick();
    this.end(failure);
  }

  onRead(): void {
    this.parts.log.tick();
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
    this.guard(() => this.parts.flush(isForOthers ? 0 : bytes));
  }

  /** If it was the line that ends the turn, nothing will come any more: a CLI that waits for input has to be let go. */
  onDropped(bytes: number): void {
    if (this.isOver) return;
    this.parts.log.add({ type: "warning", code: "line-too-long", message: `A line of ${bytes} bytes was dropped.` });
    this.hasMissedLine = true;
    if (this.parts.onPermission === undefined) this.line?.send([{ close: true }]);
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
      else void explainUnknownOption(failure, provider, host).then((explained) => this.fail(explained));
    });
  }

  private bind(channel: Channel): void {
    const { provider, request } = this.parts;
    this.channel = channel;
    const timeouts = { ...DEFAULT_TIMEOUTS[request.mode ?? "completion"], ...provider.timeouts, ...request.timeouts };
    this.clocks = new Clocks(timeouts, this.expire, () => channel.settle());
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
    const ended = decodeStep(step, this.parts.log, (event) => findBreach(event, this.breachContext));
    if (ended !== undefined && "code" in ended) return this.fail(ended);
    if (step.waitsFor !== undefined) this.clocks?.setWaiting(step.waitsFor);
    if (step.asks !== undefined) for (const question of step.asks) void this.answer(question);
    if (step.send !== undefined) this.line?.send(step.send);
    if (ended !== undefined) this.end(ended, exit);
  }

  private async answer(question: PermissionQuestion): Promise<void> {
    const { onPermission } = this.parts;
    const answer = this.line?.turn.answer;
    if (onPermission === undefined || answer === undefined) return;
    this.clocks?.sawQuestion();
    const given = await askHost(question, onPermission);
    this.clocks?.sawAnswer();
    if (!this.isOver) this.guard(() => this.apply(answer(question.requestId, given)));
  }

  private readonly expire = ({ code, afterMs }: ExpiredClock): void => {
    this.guard((line) => {
      this.parts.log.tick();
      // The CLI has given its answer, and what it waits for takes too long.
      if (code === "background") this.take(line.turn.finish({}));
      this.fail(failureOfClock(this.parts.provider, code === "background" ? "idle-timeout" : code, afterMs, this.stderr()));
    });
  };

  private end(reason: TurnEnd | Failure, exit?: ExitReport): void {
    const { log } = this.parts;
    const hasFailed = "code" in reason;
    if (hasFailed) concludeFailure(log, reason);
    else concludeTurn(log, reason, this.demands(), { ...exit, ...this.stderr() });
    this.isOver = true;
    this.clocks?.stop();
    this.parts.flush(0);
    this.parts.onEnd();
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
