import { Clocks, type ExpiredClock } from "../process/clocks.ts";
import type { StderrEnds } from "../process/stderr-keeper.ts";
import { Supervisor } from "../process/supervise.ts";
import { createFailure } from "../spec/create-failure.ts";
import type { DialectStep, DialectTurn, ExitReport } from "../spec/dialect.ts";
import type { RunEnd } from "../spec/events.ts";
import type { Failure } from "../spec/failure.ts";
import type { LaunchPlan } from "../spec/launch-plan.ts";
import type { Provider } from "../spec/provider.ts";
import type { PromptRequest } from "../spec/request.ts";
import type { PermissionQuestion } from "../spec/stream.ts";
import { askHost } from "./ask-host.ts";
import { classifyEnding } from "./classify.ts";
import { concludeFailure, concludeTurn, type Demands, failureOfClock } from "./conclude.ts";
import { DEFAULT_TIMEOUTS } from "./defaults.ts";
import { dialectOf, turnContext } from "./dialect-of.ts";
import { CANCELLED } from "./ends.ts";
import { EventLog } from "./event-log.ts";
import { explainUnknownOption } from "./explain-unknown-option.ts";
import { type BreachContext, findBreach } from "./find-breach.ts";
import { createNativeReader, type NativeReader } from "./native-reader.ts";
import type { PartContext } from "./part.ts";
import type { RunHost } from "./run-host.ts";
import { type StartedProcess, startProcess } from "./start-process.ts";

/** What one call is made of. */
export type CallParts = {
  readonly host: RunHost;
  readonly plan: LaunchPlan;
  readonly provider: Provider;
  readonly request: PromptRequest;
  readonly context: PartContext;
  /** Keeps its ids apart from those of other calls in the same run. */
  readonly idPrefix: string;
};

/** One call of one CLI process, from its plan to its end; whatever happens first ends it, once. */
export class Call {
  /** How it ended. */
  readonly ended: Promise<RunEnd>;
  private resolveEnd: (end: RunEnd) => void = () => {};
  private readonly parts: CallParts;
  private readonly run: string;
  private readonly log: EventLog;
  private readonly turn: DialectTurn;
  private readonly reader: NativeReader;
  private readonly demands: Demands;
  private readonly breachContext: BreachContext;
  private supervisor: Supervisor | undefined;
  private clocks: Clocks | undefined;
  private isOver = false;
  private hasMissedLine = false;
  /** What was read of stdout, and how much of it only showed that the CLI is alive. */
  private values = 0;
  private heartbeats = 0;

  constructor(parts: CallParts) {
    const { host, provider, request, context, idPrefix } = parts;
    const { writer, sink = writer } = context;
    this.parts = parts;
    this.run = writer.nextProcessId();
    this.log = new EventLog(writer, sink, idPrefix);
    this.ended = new Promise((resolve) => {
      this.resolveEnd = resolve;
    });
    this.turn = dialectOf(provider, provider.defaultFormat).start(turnContext(request));
    this.reader = createNativeReader(provider.defaultFormat, {
      lineBytes: host.limits.lineBytes,
      onValue: (native) => {
        this.values += 1;
        this.take(this.turn.step(native));
      },
      onDropped: this.missLine,
    });
    const promptLength = request.prompt.length + (request.system?.length ?? 0);
    this.demands = {
      provider,
      promptLength,
      wantsObject: request.outputSchema !== undefined,
      failOnDenial: request.onPermissionDenied === "error",
    };
    this.breachContext = { provider, request, toolName: (id) => this.log.openCallName(id) };
    context.signal.addEventListener("abort", this.cancel, { once: true });
  }

  /** Ends the call because nobody wants it any more. */
  readonly cancel = (): void => {
    this.fail(CANCELLED);
  };

  /** Ends the call with a failure, unless it is over. */
  fail(failure: Failure): void {
    if (this.isOver) return;
    this.parts.context.writer.tick();
    this.finish(concludeFailure(this.log, failure));
    this.supervisor?.stop();
  }

  /** Ends the call and its process, whether it is over or not. */
  end(): void {
    this.cancel();
    this.supervisor?.stop();
  }

  /** Starts the process. */
  start(): void {
    const { plan, host, context } = this.parts;
    const started = startProcess(plan, this.run, host.env);
    if (started instanceof Promise) void started.then((failure) => this.fail(failure));
    else if ("child" in started) this.attend(started);
    else this.fail(started);
    if (!this.isOver) context.writer.flush(0);
  }

  private attend({ child, output, ...remains }: StartedProcess): void {
    const { plan, provider, host, request, context } = this.parts;
    const { run } = this;
    const stopSignal = provider.stopSignal;
    const guarded = host.guardian?.start({ op: "start", run, pid: child.pid ?? 0, signal: stopSignal, ...remains }) === true;
    const supervisor = new Supervisor(child, {
      run,
      guardian: guarded ? host.guardian : undefined,
      stopSignal,
      output,
      ...remains,
      onStdout: this.readOutput,
      onStderr: () => this.clocks?.sawProgress(),
      onEnd: this.readEnd,
    });
    this.supervisor = supervisor;
    host.track({ end: () => this.end(), gone: supervisor.gone });
    const timeouts = { ...DEFAULT_TIMEOUTS[request.mode ?? "completion"], ...provider.timeouts, ...request.timeouts };
    const totalMs = context.total === undefined ? undefined : Math.max(1, Math.round(context.total.leftMs()));
    this.clocks = new Clocks({ ...timeouts, ...(totalMs !== undefined && { totalMs }) }, this.expire, () => supervisor.settle());
    supervisor.write(plan.stdin.text);
    if (plan.stdin.close === "now") supervisor.closeInput();
  }

  private readonly readOutput = (chunk: Uint8Array): void => {
    this.guard(() => {
      const { writer } = this.parts.context;
      writer.tick();
      const { values, heartbeats } = this;
      this.reader.push(chunk);
      const wasRead = this.values - values;
      if (wasRead === 0 || wasRead > this.heartbeats - heartbeats) this.clocks?.sawProgress();
      if (!this.isOver) writer.flush(chunk.byteLength);
    });
  };

  private readonly readEnd = (exit: ExitReport): void => {
    this.guard(() => {
      const { provider } = this.parts;
      this.parts.context.writer.tick();
      this.reader.end();
      this.take(this.turn.finish(exit), exit);
      if (this.isOver) return;
      const failure = classifyEnding(provider, { ...exit, ...this.stderr() });
      if (failure.code !== "unknown-option") this.fail(failure);
      else void explainUnknownOption(failure, provider, this.parts.host).then((explained) => this.fail(explained));
    });
  };

  /** A reader that breaks (a dialect of somebody else, a full disk) ends its run and nothing else. */
  private guard(read: () => void): void {
    try {
      read();
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.fail(createFailure("unclassified", `The output of ${this.parts.provider.label} could not be read: ${why}`));
    }
  }

  /** If it was the line that ends the turn, nothing will come any more: a CLI that waits for input has to be let go. */
  private readonly missLine = (bytes: number): void => {
    if (this.isOver) return;
    this.log.add({ type: "warning", code: "line-too-long", message: `A line of ${bytes} bytes was dropped.` });
    this.hasMissedLine = true;
    if (this.parts.context.onPermission === undefined) this.supervisor?.closeInput();
  };

  private stderr(): StderrEnds {
    return this.supervisor?.stderr() ?? { stderrTail: "" };
  }

  private take(step: DialectStep, exit?: ExitReport): void {
    if (this.isOver) return;
    if (step.isHeartbeat === true) this.heartbeats += 1;
    else this.clocks?.sawEvent();
    for (const event of step.events) {
      const breach = findBreach(event, this.breachContext);
      this.log.add(event);
      if (breach !== undefined) return this.fail(breach);
    }
    if (step.waitsFor !== undefined) this.clocks?.setWaiting(step.waitsFor);
    if (step.asks !== undefined) for (const question of step.asks) void this.answer(question);
    if (step.turnEnd === undefined) return;
    const demands = { ...this.demands, hasMissedLine: this.hasMissedLine };
    this.finish(concludeTurn(this.log, step.turnEnd, demands, { ...exit, ...this.stderr() }));
    this.supervisor?.release();
  }

  private async answer(question: PermissionQuestion): Promise<void> {
    const { context, provider } = this.parts;
    const { onPermission } = context;
    const { answerPermission } = provider;
    if (onPermission === undefined || answerPermission === undefined) return;
    this.clocks?.sawQuestion();
    const { requestId, input } = question;
    const line = answerPermission(requestId, input, await askHost(question, onPermission));
    this.clocks?.sawAnswer();
    if (!this.isOver) this.supervisor?.write(line);
  }

  private readonly expire = ({ code, afterMs }: ExpiredClock): void => {
    this.guard(() => {
      this.parts.context.writer.tick();
      // The CLI has given its answer, and what it waits for takes too long.
      if (code === "background") this.take(this.turn.finish({}));
      // The total time is that of the run, of which earlier attempts may have used a part.
      const ms = code === "total-timeout" ? (this.parts.request.timeouts?.totalMs ?? afterMs) : afterMs;
      this.fail(failureOfClock(this.parts.provider, code === "background" ? "idle-timeout" : code, ms, this.stderr()));
    });
  };

  /** Events that came with a good end are handed over together with it, so that no listener stops a finished answer. */
  private finish(end: RunEnd): void {
    const { signal, writer } = this.parts.context;
    this.isOver = true;
    this.clocks?.stop();
    signal.removeEventListener("abort", this.cancel);
    if (end.failure !== undefined) writer.flush();
    this.resolveEnd(end);
  }
}
