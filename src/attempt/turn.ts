import type { Ending } from "../failures/classify.ts";
import { redactFailure } from "../failures/redact.ts";
import { type RunSecrets, secretsOf } from "../failures/secrets.ts";
import { type CallersNames, changedNames } from "../host-tools/native-tools.ts";
import type { Channel, OpenedChannel, ParkedTurn, ParkReason, TurnHandle, TurnSink } from "../process/channel/channel.ts";
import { Clocks, type ExpiredClock } from "../process/channel/clocks.ts";
import type { DroppedLine } from "../process/channel/native-reader.ts";
import type { RunHost } from "../run/open-run.ts";
import { CANCELLED, type PartContext } from "../run/part.ts";
import { createFailure, type Failure, thrownMessage } from "../spec/failure/failure.ts";
import type { JsonValue } from "../spec/json.ts";
import type { Provider } from "../spec/provider/provider.ts";
import type { PromptRequest } from "../spec/request.ts";
import type { HostQuestion, ToolAnswer } from "../spec/stream.ts";
import { NO_STEP } from "../spec/wire/define-wire.ts";
import type { RunEnd } from "../spec/wire/events.ts";
import type { SessionTotals } from "../spec/wire/usage.ts";
import type { ExitReport, TurnEnd } from "../spec/wire/wire.ts";
import type { KeptTurn } from "../warm/kept-turns.ts";
import { findAnswerer } from "./ask-host.ts";
import {
  concludeCalls,
  concludeFailure,
  concludeTurn,
  demandsOf,
  explainEnding,
  explainExpiry,
  timeoutsOf,
  warnOfDropped,
} from "./conclude.ts";
import { EventLog } from "./event-log.ts";
import { decodeStep, findBreach, reportSpending, type StepRules, type TurnStep, withCallersName } from "./read-step.ts";

/** Takes a turn that is left without a run, with the calls that it waits for and the last text of its answer. */
type TakeParked = (turn: ParkedTurn, about: Pick<KeptTurn, "calls" | "text">) => void;

export type TurnParts = {
  readonly host: RunHost;
  readonly provider: Provider;
  readonly request: PromptRequest;
  readonly context: PartContext;
  /** Takes the turn when it waits for results of host tools, or after its answer; absent if it is not parked then. */
  readonly park?: { readonly [Reason in ParkReason]?: TakeParked } | undefined;
  /** Makes the ids of this attempt differ from those of the run's other attempts. */
  readonly idPrefix: string;
};

/** Runs one turn on a channel and watches its clocks. It ends once: by its end, a failure, a clock or a cancel. */
export class Turn implements TurnSink {
  private readonly ending = Promise.withResolvers<RunEnd>();
  /** Never rejects. */
  readonly ended: Promise<RunEnd> = this.ending.promise;
  /** True if the process ended during the turn. */
  hasLostProcess = false;
  private readonly parts: TurnParts;
  private readonly log: EventLog;
  private readonly secrets: RunSecrets;
  private readonly rules: StepRules;
  private channel: Channel | undefined;
  private handle: TurnHandle | undefined;
  private clocks: Clocks | undefined;
  private isOver = false;
  /** Aborts when the turn is over; made with the first question, because most turns have none. */
  private over: AbortController | undefined;
  private missedLine: DroppedLine | undefined;
  private readonly chunk = new ChunkProgress();

  constructor(parts: TurnParts) {
    const { host, provider, request, context, idPrefix } = parts;
    const { writer, sink = writer, signal } = context;
    this.parts = parts;
    this.secrets = secretsOf(provider, request, host.env);
    writer.secrets.push(this.secrets);
    this.log = new EventLog(writer, sink, idPrefix, this.secrets);
    const breach = { provider, request, toolName: (id: string) => this.log.ownCallName(id) };
    this.rules = {
      findFailure: (event) => findBreach(event, breach),
      sawTool: () => this.channel?.sawTool(),
      callers: context.bridge?.callers ?? callersOf(request),
    };
    signal.addEventListener("abort", this.cancel, { once: true });
  }

  readonly cancel = (): void => this.fail(CANCELLED);

  /** Begins the turn on a channel, or fails it if the channel could not be opened; a turn that has ended takes nothing. */
  begin(opened: OpenedChannel): void {
    if (!("take" in opened)) return this.failWith(opened);
    if (this.isOver) return;
    this.startClocks(opened);
    try {
      const { host, provider, request, context } = this.parts;
      const baseline = host.totals.begin(provider.id, request, context.isSessionTurn);
      const handle = this.hold(opened.take(request, baseline, this), opened);
      this.apply(handle.turn.begin());
    } catch (error) {
      this.onBroken(error);
    }
  }

  /** Continues a parked turn with the prompt, or with the results of its calls by their ids in the CLI; a turn that has ended takes nothing. */
  resume(parked: ParkedTurn, results: ReadonlyMap<string, ToolAnswer>): void {
    if (this.isOver) return parked.end();
    this.startClocks(parked.channel);
    this.hold(parked.resume(this), parked.channel);
    this.onRead();
    if (parked.waitsFor === "message") return this.guard(({ turn }) => this.apply(turn.goOn?.(this.parts.request) ?? NO_STEP));
    for (const native of parked.kept()) this.onValue(native);
    for (const [id, answer] of results) this.guard(({ turn }) => this.apply(turn.answer?.(id, answer) ?? NO_STEP));
  }

  private hold(handle: TurnHandle, channel: Channel): TurnHandle {
    const { bridge } = this.parts.context;
    this.handle = bridge?.hold(handle, channel, (question) => void this.ask(question)) ?? handle;
    return this.handle;
  }

  /** Does nothing if the turn has ended. */
  fail(failure: Failure): void {
    if (this.isOver) return;
    this.parts.context.writer.tick();
    this.end(failure);
  }

  onRead(): void {
    this.parts.context.writer.tick();
    this.chunk.begin();
  }

  onValue(native: JsonValue): void {
    this.chunk.sawValue();
    if (this.handle === undefined) return;
    // As `guard` does, but without a closure for each value.
    try {
      this.take(this.handle.turn.step(native));
    } catch (error) {
      this.onBroken(error);
    }
  }

  onReadEnd(bytes: number, hadValues: boolean): void {
    if (this.chunk.isProgress(hadValues)) this.clocks?.sawProgress();
    if (!this.isOver) this.guard(() => this.parts.context.writer.flush(this.chunk.isForOthers(hadValues) ? 0 : bytes));
  }

  /** The dropped line may have been the end of the turn. Then a CLI that asks nothing would wait forever, so stdin is closed. */
  onDropped(line: DroppedLine): void {
    if (this.isOver) return;
    this.log.add(warnOfDropped(line));
    this.missedLine ??= line;
    const { onPermission, answerCall, park } = this.parts.context;
    if ((onPermission ?? answerCall ?? park?.results) === undefined) this.handle?.send([{ close: true }]);
  }

  onStderr(): void {
    this.clocks?.sawProgress();
  }

  onBroken(error: unknown): void {
    const message = `The output of ${this.parts.provider.label} could not be read: ${thrownMessage(error)}`;
    this.fail(createFailure("unclassified", message));
  }

  onEnd(exit: ExitReport): void {
    this.hasLostProcess = true;
    this.guard((handle) => {
      if (exit.isCut !== true) this.take(handle.turn.finish(exit), exit);
      const ending = { missedLine: this.missedLine, unanswered: handle.turn.unanswered?.() };
      if (!this.isOver) this.failWith(explainEnding(this.parts, { ...exit, ...this.stderr(), ...ending }));
    });
  }

  private failWith(failure: Failure | Promise<Failure>): void {
    if (!(failure instanceof Promise)) return this.fail(failure);
    this.clocks?.stop();
    failure.then((known) => this.fail(known)).catch((error) => this.onBroken(error));
  }

  private startClocks(channel: Channel): void {
    this.channel = channel;
    const settle = (): Promise<void> => channel.settle();
    this.clocks = new Clocks(timeoutsOf(this.parts), this.expire, settle, (isAsking) => this.handle?.setAsking(isAsking));
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

  private take(step: TurnStep, exit?: ExitReport): void {
    if (this.isOver) return;
    if (step.isHeartbeat === true) this.chunk.sawHeartbeat();
    else this.clocks?.sawEvent();
    this.apply(step, exit);
  }

  private apply(step: TurnStep, exit?: ExitReport): void {
    const ended = decodeStep(step, this.log, this.rules);
    if (ended !== undefined && "code" in ended) return this.fail(ended);
    if (ended === undefined) reportSpending(this.parts.request, this.log, step, this.handle?.turn);
    if (step.hostRuns !== undefined && this.parts.context.answerCall !== undefined) step.hostRuns.forEach(this.noteRun);
    if (step.waitsFor !== undefined) this.clocks?.setWaiting(step.waitsFor);
    if (step.asks !== undefined) for (const question of step.asks) void this.ask(question);
    if (step.send !== undefined) this.handle?.send(step.send);
    if (ended !== undefined) this.end(ended, exit);
    else if (step.awaitsResults === true) this.park();
  }

  /** Leaves the turn to the run that brings the results, if the caller runs the host tools itself. */
  private park(): void {
    const park = this.parts.park?.results;
    if (park === undefined || this.handle === undefined) return;
    decodeStep(this.handle.turn.park?.() ?? NO_STEP, this.log);
    const end = concludeCalls(this.log, demandsOf(this.parts, undefined));
    const calls = this.log.leaveHostCalls();
    this.finish(end);
    park(this.handle.park("results", this.parts.context.addLateUsage), { calls, text: this.log.facts().partialText });
  }

  private ask(question: HostQuestion): Promise<void> {
    return this.answer(question).catch((error) => this.onBroken(error));
  }

  private async answer(asked: HostQuestion): Promise<void> {
    const { context } = this.parts;
    const question = withCallersName(asked, this.rules.callers?.names);
    const ask = this.handle?.turn.answer === undefined ? undefined : findAnswerer(question, context);
    if (ask === undefined || this.isOver) return;
    // Before the function is called, because it may end this process.
    this.clocks?.sawQuestion();
    if ("kind" in question) this.noteRun(question.requestId);
    else this.log.noteQuestion(question.requestId);
    this.over ??= new AbortController();
    const { answer, problem } = await ask(this.over.signal);
    this.clocks?.sawAnswer();
    if (this.isOver) return;
    this.guard(({ turn }) => {
      context.writer.tick();
      if ("behavior" in answer) this.log.noteAnswer(question.requestId, answer);
      if (problem !== undefined) this.log.add({ type: "warning", code: "permission-undecided", message: problem });
      this.apply(turn.answer?.(question.requestId, answer) ?? NO_STEP);
      if (!this.isOver) context.writer.flush();
    });
  }

  /** A function of the caller runs: the call may have an effect. */
  private readonly noteRun = (callId: string): void => {
    this.parts.context.writer.trace.hasActed = true;
    this.log.noteRun(callId);
  };

  private readonly expire = (clock: ExpiredClock): void => {
    this.guard((handle) => {
      this.parts.context.writer.tick();
      // The CLI has given its answer, and its background work or its next turn takes too long.
      if (clock.code === "background") this.take(handle.turn.finish({}));
      const ending = { ...this.stderr(), unanswered: handle.turn.unanswered?.() };
      this.fail(explainExpiry(this.parts, clock, ending, this.log.facts().partialText));
    });
  };

  private end(reason: TurnEnd | Failure, exit?: ExitReport): void {
    const end =
      "code" in reason
        ? concludeFailure(this.log, redactFailure(reason, this.secrets()))
        : concludeTurn(this.log, reason, demandsOf(this.parts, this.missedLine), { ...exit, ...this.stderr() });
    this.finish(end);
    this.noteTotals("code" in reason ? undefined : reason.totals);
    if ("code" in reason) return this.handle?.drop(reason.category === "cancelled");
    const park = exit === undefined && this.missedLine === undefined ? takerOfAnswer(this.parts, end, this.handle) : undefined;
    if (park === undefined || this.handle === undefined) this.handle?.release();
    else park(this.handle.park("message"), { calls: new Map(), text: this.log.facts().partialText });
  }

  private noteTotals(totals: SessionTotals | undefined): void {
    const { host, provider, request, context } = this.parts;
    const ended = { session: this.log.sessionId, totals, usage: this.log.facts().usage };
    host.totals.note(provider.id, request, ended, context.isSessionTurn);
  }

  private finish(end: RunEnd): void {
    this.isOver = true;
    this.over?.abort();
    this.clocks?.stop();
    this.parts.context.signal.removeEventListener("abort", this.cancel);
    this.ending.resolve(end);
  }
}

/** Who takes a turn that has ended so; undefined if its conversation cannot be continued, as after an answer that was cut. */
function takerOfAnswer({ park }: TurnParts, end: RunEnd, handle: TurnHandle | undefined): TakeParked | undefined {
  const isWhole = end.failure === undefined && end.finish === "stop" && end.answerId !== undefined;
  return isWhole && handle?.turn.goOn !== undefined ? park?.message : undefined;
}

/** Counts the native values of the chunk that is being read, and how many of them only show that the CLI is alive. */
class ChunkProgress {
  private values = 0;
  private heartbeats = 0;

  begin(): void {
    this.values = 0;
    this.heartbeats = 0;
  }

  sawValue(): void {
    this.values += 1;
  }

  sawHeartbeat(): void {
    this.heartbeats += 1;
  }

  /** True if the chunk had values, and all of them were for other turns. */
  isForOthers(hadValues: boolean): boolean {
    return this.values === 0 && hadValues;
  }

  /** True if the chunk had more for this turn than heartbeats; a part of a value counts. */
  isProgress(hadValues: boolean): boolean {
    return !this.isForOthers(hadValues) && (this.values === 0 || this.values > this.heartbeats);
  }
}

/** The callers' names of host tools, if the CLI has other ones. */
function callersOf({ nativeTools }: PromptRequest): CallersNames | undefined {
  if (nativeTools === undefined) return undefined;
  const names = changedNames(nativeTools);
  return names.size === 0 ? undefined : { names };
}
