import type { JsonValue } from "../../spec/json.ts";
import type { ProcessPlan } from "../../spec/provider/cli-data.ts";
import type { PromptRequest } from "../../spec/request.ts";
import type { Connection, ExitReport, Send, TurnBaseline, TurnKey, Wire, WireTurn } from "../../spec/wire/wire.ts";
import type { StderrEnds } from "../child/output.ts";
import { openProcess } from "../child/start-process.ts";
import { Supervisor } from "../child/supervise.ts";
import type { Channel, ChannelOptions, OpenedChannel, ParkedTurn, TakeUsage, TurnHandle, TurnSink } from "./channel.ts";
import { createNativeReader, type NativeReader } from "./native-reader.ts";
import { InterruptedTurn, interruptionOf, OpenTurns, ParkedTurnSink } from "./open-turns.ts";

/** Starts a process and sends what its wire sends before the first turn. */
export function openChannel(plan: ProcessPlan, options: ChannelOptions): OpenedChannel {
  const { run, env, guardian, stopSignal } = options;
  let channel: ProcessChannel;
  const opened = openProcess(plan, {
    ...{ run, env, guardian, stopSignal },
    onStdout: (chunk) => channel.read(chunk),
    onStderr: () => channel.sawStderr(),
    onEnd: (exit) => channel.readEnd(exit),
  });
  if (!(opened instanceof Supervisor)) return opened;
  try {
    channel = new ProcessChannel(opened, options);
    return channel;
  } catch (error) {
    opened.stop();
    throw error;
  }
}

/** The channel of one process; its wire says what each turn sends and which output belongs to it. */
class ProcessChannel implements Channel {
  readonly gone: Promise<void>;
  private readonly supervisor: Supervisor;
  private readonly wire: Wire;
  private readonly isWarm: boolean;
  private readonly onIdle: (() => void) | undefined;
  private readonly reader: NativeReader;
  private readonly connection: Connection;
  private readonly open: OpenTurns;
  /** How many turns and native values there were so far. */
  private turns = 0;
  private values = 0;
  private isClosing = false;

  constructor(supervisor: Supervisor, { wire, lineBytes, isWarm = false, onIdle }: ChannelOptions) {
    this.gone = supervisor.gone;
    this.supervisor = supervisor;
    this.wire = wire;
    this.isWarm = isWarm;
    this.onIdle = onIdle;
    this.open = new OpenTurns((awaitsHost) => supervisor.setAwaitsHost(awaitsHost));
    this.reader = createNativeReader(wire.framing, {
      lineBytes,
      readLine: wire.readLine,
      onValue: (native) => this.deliver(native),
      onDropped: (line) => {
        for (const sink of this.open.sinks()) sink.onDropped(line);
      },
    });
    this.connection = wire.connect({ directory: supervisor.directory });
    this.send(this.connection.open());
    if (isWarm) supervisor.rest();
  }

  pid(): number | undefined {
    return this.supervisor.pid();
  }

  canTake(request?: PromptRequest): boolean {
    if (this.isClosing || this.open.size >= this.wire.turnsAtOnce) return false;
    if (!this.isWarm) return this.turns === 0;
    return request === undefined || (this.connection.takes?.(request) ?? true);
  }

  holds(session: string): boolean {
    return this.connection.holds?.(session) === true;
  }

  isIdle(): boolean {
    return this.open.size === 0;
  }

  isGivenUp(): boolean {
    return this.open.isGivenUp();
  }

  isParked(): boolean {
    return this.open.isParked();
  }

  isSpent(): boolean {
    return this.isClosing || this.connection.isSpent?.() === true;
  }

  take(request: PromptRequest, before: TurnBaseline, sink: TurnSink): TurnHandle {
    if (!this.canTake(request)) throw new Error("The process takes no other turn.");
    const key = this.turns;
    this.turns += 1;
    const turn = this.startTurn(key, request, before);
    const handle: TurnHandle = {
      turn,
      send: (sends) => this.send(sends),
      setAsking: (isAsking) => this.open.setAsking(key, isAsking),
      release: () => this.leaveTurn(key, turn),
      park: (...reason) => this.parkTurn(key, handle, ...reason),
      drop: (mayGoOn) => {
        if (mayGoOn && this.isWarm && !this.isSpent() && this.open.has(key)) this.interruptTurn(key, turn);
        else this.closeTurn(key, turn);
      },
    };
    return this.readTurn(key, handle, sink);
  }

  prepare(request: PromptRequest): void {
    if (!this.canTake(request)) return;
    try {
      this.send(this.connection.prepare?.(request) ?? [], false);
    } catch {
      this.giveUp();
    }
  }

  isPrepared(request?: PromptRequest): boolean {
    return this.connection.isPrepared?.(request) === true;
  }

  sawTool(): void {
    this.supervisor.sawTool();
  }

  end(): void {
    this.isClosing = true;
    for (const sink of this.open.sinks()) sink.onEnd({});
    this.supervisor.stop();
  }

  stderr(): StderrEnds {
    return this.supervisor.stderr();
  }

  settle(): Promise<void> {
    return this.supervisor.settle();
  }

  /** Stdin is not closed while other turns are open, because EOF would end them too. */
  send(sends: readonly Send[], mayClose: boolean = this.open.size <= 1): void {
    for (const send of sends) {
      if ("text" in send) this.supervisor.write(send.text);
      else if (mayClose) {
        // A wire that closes stdin before the first turn has that turn still to come.
        this.isClosing = this.turns > 0;
        this.supervisor.closeInput();
      }
    }
  }

  sawStderr(): void {
    for (const sink of this.open.sinks()) sink.onStderr();
  }

  /** Reads a chunk of stdout; each of its native values goes to the turns that it belongs to. */
  read(chunk: Uint8Array): void {
    for (const sink of this.open.sinks()) sink.onRead();
    const before = this.values;
    try {
      this.reader.push(chunk);
    } catch (error) {
      this.breakTurns(error);
    }
    for (const sink of this.open.sinks()) sink.onReadEnd(chunk.byteLength, this.values > before);
  }

  /** Reads what is left, and ends the open turns. */
  readEnd(exit: ExitReport): void {
    this.isClosing = true;
    for (const sink of this.open.sinks()) sink.onRead();
    try {
      this.reader.end();
    } catch (error) {
      this.breakTurns(error);
    }
    for (const sink of this.open.sinks()) sink.onEnd(exit);
  }

  /** Output that cannot be read, by the wire or because a line exceeds the longest string, fails the open turns. */
  private breakTurns(error: unknown): void {
    for (const sink of this.open.sinks()) sink.onBroken(error);
  }

  /** If the wire throws, the channel takes no further turn; without open turns its process is ended. */
  private startTurn(key: TurnKey, request: PromptRequest, before: TurnBaseline): WireTurn {
    try {
      return this.connection.start(key, request, before);
    } catch (error) {
      this.giveUp();
      throw error;
    }
  }

  private giveUp(): void {
    this.isClosing = true;
    if (this.open.size === 0) this.supervisor.stop();
  }

  private deliver(native: JsonValue): void {
    this.values += 1;
    const routed = this.connection.route?.(native);
    // A CLI that speaks before its first turn does not wait for a prompt: its answer would be that of another turn.
    if (routed === undefined && this.turns === 0 && this.isWarm) this.end();
    if (routed === undefined) for (const sink of this.open.sinks()) sink.onValue(native);
    else
      for (const { turn, native: part, send } of routed) {
        if (send !== undefined) this.send(send, false);
        if (turn !== undefined) this.open.of(turn)?.onValue(part);
      }
  }

  private readTurn(key: TurnKey, handle: TurnHandle, sink: TurnSink): TurnHandle {
    this.open.set(key, sink);
    this.supervisor.wake();
    return handle;
  }

  /** A turn that waits for results is interrupted when it is given up, because a CLI that gets EOF instead may ask its model once more. */
  private parkTurn(key: TurnKey, handle: TurnHandle, ...[waitsFor, onLateUsage]: Parameters<TurnHandle["park"]>): ParkedTurn {
    const { turn } = handle;
    const parked = new ParkedTurnSink({
      channel: this,
      waitsFor,
      resume: (sink) => this.readTurn(key, handle, sink),
      giveUp: () => (waitsFor === "results" ? this.interruptTurn(key, turn, onLateUsage) : this.leaveTurn(key, turn)),
    });
    this.open.set(key, parked);
    this.restIfUnread();
    return parked;
  }

  /** The process keeps the host alive only while a run reads one of its turns. */
  private restIfUnread(): void {
    if (this.open.isUnread()) this.supervisor.rest();
  }

  /** Sends the interrupt; the turn stays open, unseen by its run, until the CLI ends it or the wait is over. */
  private interruptTurn(key: TurnKey, turn: WireTurn, onUsage?: TakeUsage): void {
    const sends = interruptionOf(turn);
    if (sends.length === 0) return this.closeTurn(key, turn);
    const interrupted = new InterruptedTurn(turn, {
      send: (more) => this.send(more, false),
      onEnd: (hasEnded) => (hasEnded ? this.leaveTurn(key, turn) : this.closeTurn(key, turn)),
      onUsage,
    });
    this.open.set(key, interrupted);
    this.send(sends, false);
    this.restIfUnread();
  }

  /** Closes a turn that the CLI has ended. */
  private leaveTurn(key: TurnKey, turn: WireTurn): void {
    if (!this.open.has(key)) return;
    try {
      this.send(turn.leave?.() ?? [], false);
      this.closeTurn(key);
    } catch {
      this.closeTurn(key, turn);
    }
  }

  /** `unended` is the turn if the CLI has not ended it; the channel then takes no further turn. */
  private closeTurn(key: TurnKey, unended?: WireTurn): void {
    if (!this.open.has(key)) return;
    if (unended !== undefined) this.isClosing = true;
    const isLast = this.open.size === 1;
    // Before the turn is closed: a CLI that waits for this host in it is killed if the host exits now.
    if (unended !== undefined && isLast) this.supervisor.stop();
    this.open.close(key);
    if (!isLast) {
      this.send(unended === undefined ? [] : interruptionOf(unended), false);
      this.restIfUnread();
    } else if (unended === undefined) this.leaveProcess();
  }

  /** The last turn has ended: a warm process waits for the next one, any other may exit. */
  private leaveProcess(): void {
    if (!this.isWarm || this.isClosing) return this.supervisor.release();
    this.supervisor.rest();
    this.onIdle?.();
  }
}
