import type { Failure } from "../../spec/failure/failure.ts";
import type { JsonValue } from "../../spec/json.ts";
import type { PromptRequest } from "../../spec/request.ts";
import type { UsageReport } from "../../spec/wire/events.ts";
import type { ExitReport, Send, TurnBaseline, Wire, WireTurn } from "../../spec/wire/wire.ts";
import type { StderrEnds } from "../child/output.ts";
import type { OpenOptions } from "../child/start-process.ts";
import type { DroppedLine } from "./native-reader.ts";

export type ChannelOptions = Omit<OpenOptions, "onStdout" | "onStderr" | "onEnd"> & {
  readonly wire: Wire;
  /** A line (or document) longer than this is dropped and reported. */
  readonly lineBytes: number;
  /** True for a process that takes more than one turn; any other process may exit after its turn. */
  readonly isWarm?: boolean;
  /** A process that takes more than one turn has none open now; not called once it takes no further turn. */
  readonly onIdle?: () => void;
};

export type TurnSink = {
  /** Called before a chunk of stdout is parsed. */
  onRead(): void;
  onValue(native: JsonValue): void;
  /** A line exceeded a limit and was dropped. It is not known to which turn it belonged, so every open turn gets this call. */
  onDropped(line: DroppedLine): void;
  /** Called after a chunk was parsed; `hadValues` is true if the chunk had a value for any turn. */
  onReadEnd(bytes: number, hadValues: boolean): void;
  onStderr(): void;
  /** The wire threw while it assigned a value to its turns. */
  onBroken(error: unknown): void;
  /** The process will print nothing more. */
  onEnd(exit: ExitReport): void;
};

export type TakeUsage = (report: Pick<UsageReport, "usage" | "costUsd" | "costScope">) => void;

/** Why a turn is parked: the CLI waits for results of host tools, or it has answered and can take the next message. */
export type ParkReason = "results" | "message";

export type ParkedTurn = {
  readonly channel: Channel;
  readonly waitsFor: ParkReason;
  readonly isOpen: boolean;
  resume(sink: TurnSink): TurnHandle;
  /** The values that the CLI printed while it waited for results; what it prints after an answer is dropped. */
  kept(): readonly JsonValue[];
  /** Ends a turn that is not continued. */
  end(): void;
};

export type TurnHandle = {
  readonly turn: WireTurn;
  send(sends: readonly Send[]): void;
  /** Reports whether the CLI waits for an answer of the run: the result of a host tool, or a decision about a permission. */
  setAsking(isAsking: boolean): void;
  /** Closes a turn that the CLI has ended. */
  release(): void;
  /** Leaves the turn without a run; the process does not keep the host alive. A turn that is given up may report its cost then. */
  park(waitsFor: ParkReason, onLateUsage?: TakeUsage): ParkedTurn;
  /**
   * Closes a turn that failed. On a process with other open turns it is interrupted; any other process is ended. The channel
   * takes no further turn, unless the turn was cancelled (`mayGoOn`) and a warm process ends the interrupted turn soon.
   */
  drop(mayGoOn: boolean): void;
};

/** A process that takes turns. Clocks, limits and failures belong to a turn; stderr and the run marker belong to the channel. */
export type Channel = {
  /** Resolves when the process and all processes that it started have ended. */
  readonly gone: Promise<void>;
  /** The process id; undefined once the process has exited. */
  pid(): number | undefined;
  /** True if another turn may begin now: any turn, or one with this request. */
  canTake(request?: PromptRequest): boolean;
  holds(session: string): boolean;
  isIdle(): boolean;
  /** True if no run waits for the process: it has no open turn, or only interrupted ones. */
  isGivenUp(): boolean;
  isParked(): boolean;
  /** True if the process takes no turn any more. */
  isSpent(): boolean;
  take(request: PromptRequest, before: TurnBaseline, sink: TurnSink): TurnHandle;
  /** Tells the process the settings of this request, so that the next turn with them begins sooner; does nothing if it takes no turn. */
  prepare(request: PromptRequest): void;
  /** True if the process is prepared for a turn: with any settings, or with those of this request. */
  isPrepared(request?: PromptRequest): boolean;
  /** Reports that a tool of the CLI has begun or ended. */
  sawTool(): void;
  /** Ends the process and all processes that it started; each open turn gets `onEnd`. */
  end(): void;
  stderr(): StderrEnds;
  /** Resolves when everything that the process has printed so far has been read. */
  settle(): Promise<void>;
};

export type OpenedChannel = Channel | Failure | Promise<Failure>;
