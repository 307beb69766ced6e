import type { Failure } from "../spec/failure.ts";
import type { JsonValue } from "../spec/json.ts";
import type { ProcessPlan } from "../spec/launch-plan.ts";
import type { PromptRequest } from "../spec/request.ts";
import type { Connection, ExitReport, Send, TurnBaseline, TurnKey, Wire, WireTurn } from "../spec/wire.ts";
import { createNativeReader, type NativeReader } from "./native-reader.ts";
import { type OpenOptions, openProcess } from "./open-process.ts";
import type { StderrEnds } from "./stderr-keeper.ts";
import { Supervisor } from "./supervise.ts";

/** What a channel is, besides its process. */
export type ChannelOptions = Omit<OpenOptions, "onStdout" | "onStderr" | "onEnd"> & {
  readonly wire: Wire;
  /** A line (or document) longer than this is dropped and reported. */
  readonly lineBytes: number;
  /** True where it takes more than one turn; otherwise the process may leave when its turn is over. */
  readonly isWarm?: boolean;
};

/** Who is told what comes for a turn. */
export type TurnSink = {
  /** A piece of output is about to be read. */
  onRead(): void;
  onValue(native: JsonValue): void;
  /** A line was too long; nobody knows whose it was. */
  onDropped(bytes: number): void;
  /** The piece was read; `hadValues` tells whether any turn got a value of it. */
  onReadEnd(bytes: number, hadValues: boolean): void;
  /** The process printed something on stderr. */
  onStderr(): void;
  /** The output could not be given to its turns. */
  onBroken(error: unknown): void;
  /** The output of the process is over. */
  onEnd(exit: ExitReport): void;
};

/** The place of one turn on a channel. */
export type TurnLine = {
  readonly turn: WireTurn;
  send(sends: readonly Send[]): void;
  /** The CLI has ended the turn. */
  release(): void;
  /** Gives the turn up: the channel takes no other. What is to be said goes to a process that has other turns; it is ended without any. */
  drop(farewell: () => readonly Send[]): void;
};

/** A process that takes turns. Clocks, limits and failures belong to a turn; stderr and the marker of the run belong to the channel. */
export type Channel = {
  /** Resolves when the process and everything it caused is gone. */
  readonly gone: Promise<void>;
  /** Whether another turn may begin now. */
  canTake(): boolean;
  take(request: PromptRequest, before: TurnBaseline, sink: TurnSink): TurnLine;
  /** Ends the process and everything it caused; its turns are told that it is over. */
  end(): void;
  stderr(): StderrEnds;
  /** Resolves when all that the process has printed by now was read. */
  settle(): Promise<void>;
};

/** A channel, or why there is none. */
export type OpenedChannel = Channel | Failure | Promise<Failure>;

/** Starts a process and opens its connection. */
export function openChannel(plan: ProcessPlan, options: ChannelOptions): OpenedChannel {
  const { wire, lineBytes, isWarm = false, ...process } = options;
  const lines = new Lines(wire, isWarm, lineBytes);
  const greeting = lines.open();
  const opened = openProcess(plan, { ...process, onStdout: lines.read, onStderr: lines.sawStderr, onEnd: lines.readEnd });
  if (!(opened instanceof Supervisor)) return opened;
  lines.attach(opened);
  lines.send(greeting);
  return lines;
}

type OpenLine = { readonly turn: WireTurn; readonly sink: TurnSink };

class Lines implements Channel {
  private readonly wire: Wire;
  private readonly isWarm: boolean;
  private readonly connection: Connection;
  private readonly reader: NativeReader;
  private readonly lines = new Map<TurnKey, OpenLine>();
  private process: Supervisor | undefined;
  private turns = 0;
  private values = 0;
  private isClosing = false;

  constructor(wire: Wire, isWarm: boolean, lineBytes: number) {
    this.wire = wire;
    this.isWarm = isWarm;
    this.connection = wire.connect();
    const onDropped = (bytes: number): void => this.tell((sink) => sink.onDropped(bytes));
    this.reader = createNativeReader(wire.framing, { lineBytes, onValue: (native) => this.deliver(native), onDropped });
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
    return !this.isClosing && this.lines.size < this.wire.turnsAtOnce && (this.isWarm || this.turns === 0);
  }

  take(request: PromptRequest, before: TurnBaseline, sink: TurnSink): TurnLine {
    if (!this.canTake()) throw new Error("The process takes no other turn.");
    const key = this.turns;
    this.turns += 1;
    const turn = this.startTurn(key, request, before);
    this.lines.set(key, { turn, sink });
    return {
      turn,
      send: (sends) => this.send(sends),
      release: () => this.letGo(key),
      drop: (farewell) => this.letGo(key, farewell),
    };
  }

  end(): void {
    this.isClosing = true;
    this.tell((sink) => sink.onEnd({}));
    this.supervisor().stop();
  }

  stderr(): StderrEnds {
    return this.supervisor().stderr();
  }

  settle(): Promise<void> {
    return this.supervisor().settle();
  }

  /** The end of input would end the other turns as well. */
  send(sends: readonly Send[]): void {
    for (const send of sends) {
      if ("text" in send) this.supervisor().write(send.text);
      else if (this.lines.size <= 1) {
        this.isClosing = true;
        this.supervisor().closeInput();
      }
    }
  }

  readonly read = (chunk: Uint8Array): void => {
    this.tell((sink) => sink.onRead());
    const before = this.values;
    this.reader.push(chunk);
    this.tell((sink) => sink.onReadEnd(chunk.byteLength, this.values > before));
  };

  readonly sawStderr = (): void => {
    this.tell((sink) => sink.onStderr());
  };

  readonly readEnd = (exit: ExitReport): void => {
    this.isClosing = true;
    this.tell((sink) => sink.onRead());
    this.reader.end();
    this.tell((sink) => sink.onEnd(exit));
  };

  /** A wire that cannot begin a turn ends the channel, as one that cannot read it does. */
  private startTurn(key: TurnKey, request: PromptRequest, before: TurnBaseline): WireTurn {
    try {
      return this.connection.start(key, request, before);
    } catch (error) {
      this.isClosing = true;
      if (this.lines.size === 0) this.supervisor().stop();
      throw error;
    }
  }

  private deliver(native: JsonValue): void {
    this.values += 1;
    const { route } = this.connection;
    if (route === undefined) {
      for (const { sink } of this.lines.values()) sink.onValue(native);
      return;
    }
    try {
      for (const { turn, native: part } of route(native)) if (turn !== undefined) this.lines.get(turn)?.sink.onValue(part);
    } catch (error) {
      this.tell((sink) => sink.onBroken(error));
    }
  }

  private tell(say: (sink: TurnSink) => void): void {
    for (const { sink } of [...this.lines.values()]) say(sink);
  }

  private letGo(key: TurnKey, farewell?: () => readonly Send[]): void {
    if (!this.lines.delete(key)) return;
    if (farewell !== undefined) this.isClosing = true;
    if (this.lines.size > 0) this.send(farewell?.() ?? []);
    else if (farewell !== undefined) this.supervisor().stop();
    else if (!this.isWarm || this.isClosing) this.supervisor().release();
  }

  private supervisor(): Supervisor {
    if (this.process === undefined) throw new Error("The process was not started.");
    return this.process;
  }
}
