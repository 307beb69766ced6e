import { randomBytes } from "node:crypto";
import { sweepTree } from "./end-tree.ts";
import { type GuardianProcess, spawnGuardian } from "./guardian-process.ts";
import { type GuardedRun, rootOf } from "./guardian-protocol.ts";
import { removeLeftovers } from "./leftovers.ts";
import { RunTree } from "./run-tree.ts";
import { sendGroupSignal } from "./signals.ts";

/** After this many guardians have exited before they were ready, no other one is started. */
const MOST_FALSE_STARTS = 3;

/** Most released processes exit within this time, and many results are there: then the guardian is not woken for them. */
const STATE_DELAY_MS = 50;

/** A tool starts its processes in this time, and further reports of tools are sent together with the first. */
const LOOK_DELAY_MS = 40;

/**
 * The host's side of the guardian, a small process that is started with the first run. It ends the CLIs of this host when the host
 * dies, and the processes that a finished run left behind. It never keeps the host alive. If it ends or does not answer, the host
 * does what it owes.
 */
export class Guardian {
  /** The id of this host; every run id begins with it. */
  readonly hostId: string = `${process.pid}-${randomBytes(5).toString("hex")}`;
  private process: GuardianProcess | undefined;
  private isReady = false;
  private falseStarts = 0;
  private runs = 0;
  private readonly active = new Map<string, GuardedRun>();
  private readonly released = new Set<string>();
  private waiting: (() => void)[] = [];
  /** Released runs of which the guardian has not been told yet. */
  private readonly releasing = new Set<string>();
  /** The runs whose processes wait for results of this host, and those of which the guardian has been told. */
  private readonly parked = new Set<string>();
  private readonly toldParked = new Set<string>();
  private stateTimer: NodeJS.Timeout | undefined;
  private lookTimer: NodeJS.Timeout | undefined;
  /** What a guardian owed and the host does itself. */
  private readonly ownSweeps = new Set<Promise<void>>();

  /** Returns a new run id, unique in this host. */
  nextRunId(): string {
    this.runs += 1;
    return `${this.hostId}.${this.runs}`;
  }

  /** Registers a run; call it before the prompt is written. Returns false if no guardian could be started. */
  start(run: GuardedRun): boolean {
    this.active.set(run.run, run);
    if (this.process !== undefined) this.process.send(run);
    else if (!this.launch()) this.active.delete(run.run);
    return this.process !== undefined;
  }

  /** Marks a run as finished; its process may still exit by itself. */
  release(run: string): void {
    this.released.add(run);
    this.releasing.add(run);
    this.sendStatesSoon();
  }

  /**
   * Reports whether the process of a run waits for results of this host. It loses them with the host and would ask its model once more, so
   * it is killed when the host exits: by the host itself, before its sockets close, or by the guardian.
   */
  setParked(run: string, isParked: boolean): void {
    if (isParked === this.parked.has(run)) return;
    if (isParked) this.parked.add(run);
    else this.parked.delete(run);
    this.sendStatesSoon();
  }

  /** Reports that a tool has begun or ended, so that the guardian sees the processes of the tool. */
  sawTool(): void {
    this.lookTimer ??= setTimeout(() => {
      this.lookTimer = undefined;
      this.process?.send({ op: "look" });
    }, LOOK_DELAY_MS).unref();
  }

  /** Reports that the run's process has exited; the guardian ends the processes it left. Returns false without a guardian. */
  end(run: string): boolean {
    const ended = this.active.get(run);
    this.active.delete(run);
    this.released.delete(run);
    this.releasing.delete(run);
    this.parked.delete(run);
    this.toldParked.delete(run);
    if (ended !== undefined) this.process?.sendEnd(ended);
    return this.process !== undefined;
  }

  /** Calls `act` when the guardian is ready, at once if it is already; never if it fails to start. */
  whenReady(act: () => void): void {
    if (this.isReady) act();
    else this.waiting.push(act);
  }

  /** Resolves when the processes of all runs that have ended so far are gone. */
  async settled(): Promise<void> {
    await this.process?.settled();
    await Promise.all(this.ownSweeps);
  }

  /** Closes the guardian, which ends the runs that are still active. A later run starts a new one. */
  async close(): Promise<void> {
    const { process } = this;
    this.sendStates();
    this.forget(process);
    await process?.close();
    await Promise.all(this.ownSweeps);
  }

  private launch(): boolean {
    if (this.falseStarts >= MOST_FALSE_STARTS) return false;
    const launched = spawnGuardian(this.hostId, {
      onReady: () => this.sawReady(launched),
      onEnd: (owed, wasReady) => this.replace(launched, owed, wasReady),
    });
    if (launched === undefined) return false;
    this.process = launched;
    process.once("exit", this.sawExit);
    for (const run of this.active.values()) launched.send(run);
    for (const run of this.released) launched.send({ op: "release", run });
    this.sendStates();
    return true;
  }

  private sendStatesSoon(): void {
    this.stateTimer ??= setTimeout(this.sendStates, STATE_DELAY_MS).unref();
  }

  private readonly sendStates = (): void => {
    clearTimeout(this.stateTimer);
    this.stateTimer = undefined;
    for (const run of this.releasing) this.process?.send({ op: "release", run });
    this.releasing.clear();
    for (const run of new Set([...this.parked, ...this.toldParked])) this.sendParked(run, this.parked.has(run));
  };

  private sendParked(run: string, isParked: boolean): void {
    if (this.process === undefined || isParked === this.toldParked.has(run)) return;
    this.process.send({ op: "park", run, isParked });
    if (isParked) this.toldParked.add(run);
    else this.toldParked.delete(run);
  }

  private readonly sawExit = (): void => {
    for (const run of this.parked) sendGroupSignal(this.active.get(run)?.pid ?? 0, "SIGKILL");
    this.sendStates();
    this.process?.flush();
  };

  private sawReady(launched: GuardianProcess | undefined): void {
    if (launched !== this.process) return;
    this.isReady = true;
    this.falseStarts = 0;
    for (const act of this.waiting.splice(0)) act();
  }

  /** A guardian that ends unexpectedly is replaced if runs are in progress. */
  private replace(ended: GuardianProcess | undefined, owed: readonly GuardedRun[], wasReady: boolean): void {
    for (const run of owed) this.sweep(run);
    if (ended !== this.process) return;
    if (!wasReady) this.falseStarts += 1;
    this.forget(ended);
    if (this.active.size > 0) this.launch();
  }

  private sweep(ended: GuardedRun): void {
    const { run, leftovers = [] } = ended;
    const sweep = sweepTree(new RunTree(run, rootOf(ended)))
      .catch(() => {})
      .then(() => {
        removeLeftovers(leftovers);
        this.ownSweeps.delete(sweep);
      });
    this.ownSweeps.add(sweep);
  }

  private forget(forgotten: GuardianProcess | undefined): void {
    if (forgotten !== this.process) return;
    this.process = undefined;
    this.isReady = false;
    this.toldParked.clear();
    process.off("exit", this.sawExit);
  }
}

/** All clients of a host share one guardian; the last client that is closed closes it. */
const shared: { guardian: Guardian; users: number } = { guardian: new Guardian(), users: 0 };

/** Returns the guardian of this host and counts one more user until `leave` is called. */
export function useGuardian(): { readonly guardian: Guardian; readonly leave: () => Promise<void> } {
  shared.users += 1;
  let hasLeft = false;
  const leave = (): Promise<void> => {
    if (!hasLeft) shared.users -= 1;
    hasLeft = true;
    return shared.users === 0 ? shared.guardian.close() : shared.guardian.settled();
  };
  return { guardian: shared.guardian, leave };
}
