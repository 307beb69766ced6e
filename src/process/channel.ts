import type { Failure } from "../spec/failure.ts";
import type { JsonValue } from "../spec/json.ts";
import type { ProcessPlan } from "../spec/launch-plan.ts";
import type { PromptRequest } from "../spec/request.ts";
import type { Connection, ExitReport, Send, TurnBaseline, TurnKey, Wire, WireTurn } from "../spec/wire.ts";
import { createNativeReader, type DroppedLine, type NativeReader } from "./native-reader.ts";
import { type OpenOptions, openProcess } from "./open-process.ts";
import type { StderrEnds } from "./stderr-keeper.ts";
import { Supervisor } from "./supervise.ts";

/** The options of a channel: those of its process, and its wire. */
export type ChannelOptions = Omit<OpenOptions, "onStdout" | "onStderr" | "onEnd"> & {
  readonly wire: Wire;
  /** A line (or document) longer than this is dropped and reported. */
  readonly lineBytes: number;
  /** True for a process that takes more than one turn; any other process may exit after its turn. */
  readonly isWarm?: boolean;
};

/** Receives the output of the process that belongs to one turn. */
export type TurnSink = {
  /** Called before a chunk of stdout is parsed. */
  onRead(): void;
  onValue(native: JsonValue): void;
  /** A line exceeded a limit and was dropped. It is not known to which turn it belonged, so every open turn gets this call. */
  onDropped(line: DroppedLine): void;
  /** Called after a chunk was parsed; `hadValues` is true if the chunk had a value for any turn. */
  onReadEnd(bytes: number, hadValues: boolean): void;
  /** The process printed something on stderr. */
  onStderr(): void;
  /** The wire threw while it assigned a value to its turns. */
  onBroken(error: unknown): void;
  /** The process will print nothing more. */
  onEnd(exit: ExitReport): void;
};

/** One open turn of a channel, as the run uses it. */
export type TurnHandle = {
  readonly turn: WireTurn;
  send(sends: readonly Send[]): void;
  /** Closes a turn that the CLI has ended. */
  release(): void;
  /**
   * Closes a turn that failed; the channel takes no further turn. A process with other open turns gets what `interrupt` returns;
   * any other process is ended.
   */
  drop(interrupt: () => readonly Send[]): void;
};

/** A process that takes turns. Clocks, limits and failures belong to a turn; stderr and the run marker belong to the channel. */
export type Channel = {
  /** Resolves when the process and all processes that it started have ended. */
  readonly gone: Promise<void>;
  /** True if another turn may begin now. */
  canTake(): boolean;
  take(request: PromptRequest, before: TurnBaseline, sink: TurnSink): TurnHandle;
  /** Reports that a tool of the CLI has begun or ended. */
  sawTool(): void;
  /** Ends the process and all processes that it started; each open turn gets `onEnd`. */
  end(): void;
  stderr(): StderrEnds;
  /** Resolves when everything that the process has printed so far has been read. */
  settle(): Promise<void>;
};

/** A channel, or the failure of its start. */
export type OpenedChannel = Channel | Failure | Promise<Failure>;

/** Starts a process and sends what its wire sends before the first turn. */
export function openChannel(plan: ProcessPlan, options: ChannelOptions): OpenedChannel {
  const { wire, lineBytes, isWarm = false, ...process } = options;
  const channel = new ProcessChannel(wire, isWarm, lineBytes);
  const opening = channel.open();
  const opened = openProcess(plan, { ...process, onStdout: channel.read, onStderr: channel.sawStderr, onEnd: channel.readEnd });
  if (!(opened instanceof Supervisor)) return opened;
  channel.attach(opened);
  try {
    channel.send(opening);
  } catch (error) {
    opened.stop();
    throw error;
  }
  return channel;
}

class ProcessChannel implements Channel {
  private readonly wire: Wire;
  private readonly isWarm: boolean;
  private readonly connection: Connection;
  private readonly reader: NativeReader;
  private readonly openTurns = new Map<TurnKey, TurnSink>();
  /** The sinks of the open turns; replaced when a turn opens or closes, never changed. */
  private sinks: readonly TurnSink[] = [];
  private process: Supervisor | undefined;
  private turns = 0;
  private values = 0;
  private isClosing = false;

  constructor(wire: Wire, isWarm: boolean, lineBytes: number) {
    this.wire = wire;
    this.isWarm = isWarm;
    this.connection = wire.connect();
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

  open(): readonly Send[] {
    return this.connection.open();
  }

  attach(process: Supervisor): void {
    this.process = process;
  }

  canTake(): boolean {
    return !this.isClosing && this.openTurns.size < this.wire.turnsAtOnce && (this.isWarm || this.turns === 0);
  }

  take(request: PromptRequest, before: TurnBaseline, sink: TurnSink): TurnHandle {
    if (!this.canTake()) throw new Error("The process takes no other turn.");
    const key = this.turns;
    this.turns += 1;
    const turn = this.startTurn(key, request, before);
    this.openTurns.set(key, sink);
    this.sinks = [...this.openTurns.values()];
    return {
      turn,
      send: (sends) => this.send(sends),
      release: () => this.closeTurn(key),
      drop: (interrupt) => this.closeTurn(key, interrupt),
    };
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

  readonly sawStderr = (): void => {
    this.notify((sink) => sink.onStderr());
  };

  readonly readEnd = (exit: ExitReport): void => {
    this.isClosing = true;
    this.notify((sink) => sink.onRead());
    this.guard(() => this.reader.end());
    this.notify((sink) => sink.onEnd(exit));
  };

  /** If the wire throws, the channel takes no further turn; without open turns its process is ended. */
  private startTurn(key: TurnKey, request: PromptRequest, before: TurnBaseline): WireTurn {
    try {
      return this.connection.start(key, request, before);
    } catch (error) {
      this.isClosing = true;
      if (this.openTurns.size === 0) this.supervisor().stop();
      throw error;
    }
  }

  private deliver(native: JsonValue): void {
    this.values += 1;
    const routed = this.connection.route?.(native);
    if (routed === undefined) for (const sink of this.sinks) sink.onValue(native);
    else for (const { turn, native: part } of routed) if (turn !== undefined) this.openTurns.get(turn)?.onValue(part);
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

  private closeTurn(key: TurnKey, interrupt?: () => readonly Send[]): void {
    if (!this.openTurns.delete(key)) return;
    this.sinks = [...this.openTurns.values()];
    if (interrupt !== undefined) this.isClosing = true;
    if (this.openTurns.size > 0) this.send(interrupt?.() ?? [], false);
    else if (interrupt !== undefined) this.supervisor().stop();
    else if (!this.isWarm || this.isClosing) this.supervisor().release();
  }

  private supervisor(): Supervisor {
    if (this.process === undefined) throw new Error("The process was not started.");
    return this.process;
  }
}
