import type { JsonValue } from "../spec/json.ts";
import type { ProcessPlan } from "../spec/launch-plan.ts";
import type { PromptRequest } from "../spec/request.ts";
import type { Connection, ExitReport, Send, TurnBaseline, TurnKey, Wire, WireTurn } from "../spec/wire.ts";
import type { Channel, ChannelOptions, OpenedChannel, TurnHandle, TurnSink } from "./channel.ts";
import { InterruptedTurn } from "./interrupted-turn.ts";
import { createNativeReader, type NativeReader } from "./native-reader.ts";
import { openProcess } from "./open-process.ts";
import type { StderrEnds } from "./stderr-keeper.ts";
import { Supervisor } from "./supervise.ts";

/** Starts a process and sends what its wire sends before the first turn. */
export function openChannel(plan: ProcessPlan, options: ChannelOptions): OpenedChannel {
  const { wire, lineBytes, isWarm = false, onIdle = () => {}, ...process } = options;
  const channel = new ProcessChannel(wire, isWarm, lineBytes, onIdle);
  const opened = openProcess(plan, { ...process, onStdout: channel.read, onStderr: channel.sawStderr, onEnd: channel.readEnd });
  if (!(opened instanceof Supervisor)) return opened;
  try {
    channel.attach(opened);
  } catch (error) {
    opened.stop();
    throw error;
  }
  return channel;
}

class ProcessChannel implements Channel {
  private readonly wire: Wire;
  private readonly isWarm: boolean;
  private readonly onIdle: () => void;
  private connection: Connection | undefined;
  private readonly reader: NativeReader;
  private readonly openTurns = new Map<TurnKey, TurnSink>();
  /** The sinks of the open turns; replaced when a turn opens or closes, never changed. */
  private sinks: readonly TurnSink[] = [];
  private process: Supervisor | undefined;
  private turns = 0;
  private values = 0;
  private isClosing = false;

  constructor(wire: Wire, isWarm: boolean, lineBytes: number, onIdle: () => void) {
    this.wire = wire;
    this.isWarm = isWarm;
    this.onIdle = onIdle;
    const { framing, readLine } = wire;
    this.reader = createNativeReader(framing, {
      lineBytes,
      onValue: (native) => this.deliver(native),
      onDropped: (line) => this.notify((sink) => sink.onDropped(line)),
      ...(readLine !== undefined && { readLine }),
    });
  }

  get gone(): Promise<void> {
    return this.supervisor().gone;
  }

  /** Connects the wire to its process and sends what the wire sends first. */
  attach(process: Supervisor): void {
    this.process = process;
    this.connection = this.wire.connect({ directory: process.directory });
    this.send(this.connection.open());
    if (this.isWarm) process.rest();
  }

  pid(): number | undefined {
    return this.supervisor().pid();
  }

  canTake(request?: PromptRequest): boolean {
    if (this.isClosing || this.openTurns.size >= this.wire.turnsAtOnce) return false;
    if (!this.isWarm) return this.turns === 0;
    return request === undefined || (this.connected().takes?.(request) ?? true);
  }

  holds(session: string): boolean {
    return this.connected().holds?.(session) === true;
  }

  isIdle(): boolean {
    return this.openTurns.size === 0;
  }

  isGivenUp(): boolean {
    return this.sinks.every((sink) => sink instanceof InterruptedTurn);
  }

  isSpent(): boolean {
    return this.isClosing || this.connected().isSpent?.() === true;
  }

  take(request: PromptRequest, before: TurnBaseline, sink: TurnSink): TurnHandle {
    if (!this.canTake(request)) throw new Error("The process takes no other turn.");
    const key = this.turns;
    this.turns += 1;
    const turn = this.startTurn(key, request, before);
    this.setSink(key, sink);
    this.supervisor().wake();
    return {
      turn,
      send: (sends) => this.send(sends),
      release: () => this.closeTurn(key),
      drop: (interrupt, mayGoOn) => {
        if (mayGoOn && this.isWarm && !this.isSpent() && this.openTurns.has(key)) this.interruptTurn(key, turn, interrupt());
        else this.closeTurn(key, interrupt);
      },
    };
  }

  prepare(request: PromptRequest): void {
    if (!this.canTake(request)) return;
    try {
      this.send(this.connected().prepare?.(request) ?? [], false);
    } catch {
      this.giveUp();
    }
  }

  isPrepared(request?: PromptRequest): boolean {
    return this.connected().isPrepared?.(request) === true;
  }

  sawTool(): void {
    this.supervisor().sawTool();
  }

  end(): void {
    this.isClosing = true;
    this.notify((sink) => sink.onEnd({}));
    this.supervisor().stop();
  }

  stderr(): StderrEnds {
    return this.supervisor().stderr();
  }

  settle(): Promise<void> {
    return this.supervisor().settle();
  }

  /** Stdin is not closed while other turns are open, because EOF would end them too. */
  send(sends: readonly Send[], mayClose: boolean = this.openTurns.size <= 1): void {
    for (const send of sends) {
      if ("text" in send) this.supervisor().write(send.text);
      else if (mayClose) {
        // A wire that closes stdin before the first turn has that turn still to come.
        this.isClosing = this.turns > 0;
        this.supervisor().closeInput();
      }
    }
  }

  readonly read = (chunk: Uint8Array): void => {
    this.notify((sink) => sink.onRead());
    const before = this.values;
    this.guard(() => this.reader.push(chunk));
    this.notify((sink) => sink.onReadEnd(chunk.byteLength, this.values > before));
  };

  readonly sawStderr = (): void => this.notify((sink) => sink.onStderr());

  readonly readEnd = (exit: ExitReport): void => {
    this.isClosing = true;
    this.notify((sink) => sink.onRead());
    this.guard(() => this.reader.end());
    this.notify((sink) => sink.onEnd(exit));
  };

  /** If the wire throws, the channel takes no further turn; without open turns its process is ended. */
  private startTurn(key: TurnKey, request: PromptRequest, before: TurnBaseline): WireTurn {
    try {
      return this.connected().start(key, request, before);
    } catch (error) {
      this.giveUp();
      throw error;
    }
  }

  private giveUp(): void {
    this.isClosing = true;
    if (this.openTurns.size === 0) this.supervisor().stop();
  }

  private deliver(native: JsonValue): void {
    this.values += 1;
    const routed = this.connected().route?.(native);
    // A CLI that speaks before its first turn does not wait for a prompt: its answer would be that of another turn.
    if (routed === undefined && this.turns === 0 && this.isWarm) this.end();
    if (routed === undefined) for (const sink of this.sinks) sink.onValue(native);
    else
      for (const { turn, native: part, send } of routed) {
        if (send !== undefined) this.send(send, false);
        if (turn !== undefined) this.openTurns.get(turn)?.onValue(part);
      }
  }

  /** Output that cannot be read, by the wire or because a line exceeds the longest string, fails the open turns. */
  private guard(read: () => void): void {
    try {
      read();
    } catch (error) {
      this.notify((sink) => sink.onBroken(error));
    }
  }

  private notify(call: (sink: TurnSink) => void): void {
    for (const sink of this.sinks) call(sink);
  }

  /** Sends the interrupt; the turn stays open, unseen by its run, until the CLI ends it or the wait is over. */
  private interruptTurn(key: TurnKey, turn: WireTurn, sends: readonly Send[]): void {
    if (sends.length === 0) return this.closeTurn(key, () => []);
    const interrupted = new InterruptedTurn(turn, {
      send: (more) => this.send(more, false),
      onEnd: (hasEnded) => this.closeTurn(key, hasEnded ? undefined : () => []),
    });
    this.setSink(key, interrupted);
    this.send(sends, false);
    if (this.openTurns.size === 1) this.supervisor().rest();
  }

  private closeTurn(key: TurnKey, interrupt?: () => readonly Send[]): void {
    if (!this.openTurns.delete(key)) return;
    this.sinks = [...this.openTurns.values()];
    if (interrupt !== undefined) this.isClosing = true;
    if (this.openTurns.size > 0) this.send(interrupt?.() ?? [], false);
    else if (interrupt !== undefined) this.supervisor().stop();
    else if (!this.isWarm || this.isClosing) this.supervisor().release();
    else {
      this.supervisor().rest();
      this.onIdle();
    }
  }

  private setSink(key: TurnKey, sink: TurnSink): void {
    this.openTurns.set(key, sink);
    this.sinks = [...this.openTurns.values()];
  }

  private connected(): Connection {
    if (this.connection === undefined) throw new Error("The process was not started.");
    return this.connection;
  }

  private supervisor(): Supervisor {
    if (this.process === undefined) throw new Error("The process was not started.");
    return this.process;
  }
}
