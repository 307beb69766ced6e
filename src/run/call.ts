import { Clocks, type ExpiredClock } from "../process/clocks.ts";
import type { StderrEnds } from "../process/stderr-keeper.ts";
import { Supervisor } from "../process/supervise.ts";
import { createFailure } from "../spec/create-failure.ts";
import type { DialectStep, DialectTurn, ExitReport } from "../spec/dialect.ts";
import type { Failure } from "../spec/failure.ts";
import type { LaunchPlan } from "../spec/launch-plan.ts";
import type { Provider } from "../spec/provider.ts";
import type { PromptRequest, Target } from "../spec/request.ts";
import type { RunResult, RunWarning } from "../spec/result.ts";
import type { PermissionQuestion, RunContext } from "../spec/stream.ts";
import { askHost } from "./ask-host.ts";
import { BatchQueue } from "./batch-queue.ts";
import { classifyEnding } from "./classify.ts";
import { Collector } from "./collect.ts";
import { concludeFailure, concludeTurn, type Demands, failureOfClock } from "./conclude.ts";
import { DEFAULT_TIMEOUTS } from "./defaults.ts";
import { dialectOf, turnContext } from "./dialect-of.ts";
import { EventLog } from "./event-log.ts";
import { explainUnknownOption } from "./explain-unknown-option.ts";
import { type BreachContext, findBreach } from "./find-breach.ts";
import { createNativeReader, type NativeReader } from "./native-reader.ts";
import { CANCELLED } from "./refused-run.ts";
import type { RunHost } from "./runner.ts";
import { type StartedProcess, startProcess } from "./start-process.ts";

/** What one call is made of. */
export type CallParts = {
  readonly host: RunHost;
  readonly run: string;
  readonly plan: LaunchPlan;
  readonly provider: Provider;
  readonly target: Target;
  readonly request: PromptRequest;
  readonly context: RunContext;
  readonly warnings: readonly RunWarning[];
};

/** One call of one CLI process, from its plan to its `run-end`; whatever happens first ends it, once. */
export class Call {
  readonly queue: BatchQueue;
  /** The folded run; settles when the run is over, whether anybody reads its events or not. */
  readonly done: Promise<RunResult>;
  private readonly collector: Collector;
  private markDone: () => void = () => {};
  private readonly parts: CallParts;
  private readonly log = new EventLog(() => performance.now());
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
    const { host, provider, request, context } = parts;
    this.parts = parts;
    this.queue = new BatchQueue(host.limits.spillBytes, host.spills);
    this.collector = new Collector(context.keepEvents === true);
    this.done = new Promise((resolve) => {
      this.markDone = () => resolve(this.collector.result());
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
    context.signal?.addEventListener("abort", this.cancel, { once: true });
    const { metadata } = request;
    this.log.stamp({ type: "run-start", runId: parts.run, ...(metadata !== undefined && { metadata }) });
  }

  /** Ends the call because nobody wants it any more. */
  readonly cancel = (): void => {
    this.fail(CANCELLED);
  };

  /** Ends the call with a failure, unless it is over. */
  fail(failure: Failure): void {
    if (this.isOver) return;
    this.log.tick();
    concludeFailure(this.log, failure);
    this.finish();
    this.supervisor?.stop();
  }

  /** Ends the call and its process, whether it is over or not. */
  end(): void {
    this.cancel();
    this.supervisor?.stop();
  }

  /** Starts the process. */
  start(): void {
    const { plan, provider, target, host, run } = this.parts;
    const model = target.model ?? provider.defaultModel;
    const about = { provider: provider.id, ...(model !== undefined && { model }) };
    this.log.stamp({ type: "attempt-start", ...about, transport: "spawn", warm: false, attempt: 1 });
    for (const warning of this.parts.warnings) this.log.stamp({ type: "warning", ...warning });
    const started = startProcess(plan, run, host.env);
    if (started instanceof Promise) void started.then((failure) => this.fail(failure));
    else if ("child" in started) this.attend(started);
    else this.fail(started);
    this.flush(0);
  }

  private attend({ child, output, ...remains }: StartedProcess): void {
    const { plan, provider, host, run, request } = this.parts;
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
    this.clocks = new Clocks(timeouts, this.expire, () => supervisor.settle());
    supervisor.write(plan.stdin.text);
    if (plan.stdin.close === "now") supervisor.closeInput();
  }

  private readonly readOutput = (chunk: Uint8Array): void => {
    this.guard(() => {
      this.log.tick();
      const { values, heartbeats } = this;
      this.reader.push(chunk);
      const wasRead = this.values - values;
      if (wasRead === 0 || wasRead > this.heartbeats - heartbeats) this.clocks?.sawProgress();
      this.flush(chunk.byteLength);
    });
  };

  private readonly readEnd = (exit: ExitReport): void => {
    this.guard(() => {
      const { provider } = this.parts;
      this.log.tick();
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
    concludeTurn(this.log, step.turnEnd, demands, { ...exit, ...this.stderr() });
    this.finish();
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
      this.log.tick();
      // The CLI has given its answer, and what it waits for takes too long.
      if (code === "background") this.take(this.turn.finish({}));
      this.fail(failureOfClock(this.parts.provider, code === "background" ? "idle-timeout" : code, afterMs, this.stderr()));
    });
  };

  private flush(weight: number): void {
    const batch = this.log.take();
    if (batch.length === 0) return;
    for (const event of batch) this.collector.add(event);
    this.queue.push(batch, weight);
  }

  private finish(): void {
    this.isOver = true;
    this.clocks?.stop();
    this.parts.context.signal?.removeEventListener("abort", this.cancel);
    this.flush(0);
    this.queue.end();
    this.markDone();
  }
}
