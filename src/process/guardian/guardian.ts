import { HOST_ID } from "../../files/host-directory.ts";
import { removeLeftovers, removeQuietly } from "../../files/leftovers.ts";
import { findOwnProgram } from "../child/find-program.ts";
import { sweepTree } from "../tree/end-tree.ts";
import { RUN_MARKER } from "../tree/process-table.ts";
import { RunTree } from "../tree/run-tree.ts";
import { sendGroupSignal } from "../tree/signals.ts";
import { type GuardianProcess, spawnGuardian } from "./guardian-process.ts";
import { type GuardedRun, type RunState, rootOf } from "./guardian-protocol.ts";

/** After this many guardians have exited before they were ready, no other one is started. */
const MOST_FALSE_STARTS = 3;

/** The guardian is told of a state after this time. Most released processes have exited by then, and many that waited have their answer. */
const STATE_DELAY_MS = 50;

/** A tool starts its processes in this time, and further reports of tools are sent together with the first. */
const LOOK_DELAY_MS = 40;

/**
 * The host's side of the guardian, a small process that is started with the first run. It ends the CLIs of this host when the host
 * dies, and the processes that a finished run left behind. It never keeps the host alive. If it ends or does not answer, the host
 * does what it owes.
 */
export class Guardian {
  private readonly directories = new Set<string>();
  private process: GuardianProcess | undefined;
  private isReady = false;
  private falseStarts = 0;
  private hasProgram: boolean | undefined;
  private runs = 0;
  private readonly active = new Map<string, GuardedRun>();
  /** The states of active runs, and those of which the guardian has been told; a run without an entry is running. */
  private readonly states = new Map<string, RunState>();
  private readonly told = new Map<string, RunState>();
  private waiting: (() => void)[] = [];
  private stateTimer: NodeJS.Timeout | undefined;
  private lookTimer: NodeJS.Timeout | undefined;
  /** What a guardian owed and the host does itself. */
  private readonly ownSweeps = new Set<Promise<void>>();

  /** Unique in this host. */
  nextRunId(): string {
    this.runs += 1;
    return `${HOST_ID}.${this.runs}`;
  }

  /** True if no guardian can be started: its program is missing, as in a bundle, or does not run, as with another runtime. */
  get isMissing(): boolean {
    this.hasProgram ??= findOwnProgram("process/guardian/guardian-main") !== undefined;
    return !this.hasProgram || this.falseStarts >= MOST_FALSE_STARTS;
  }

  /** Registers the directory of this host; call it before anything is written there. Returns false if no guardian could be started. */
  ownDirectory(path: string): boolean {
    const isNew = !this.directories.has(path);
    this.directories.add(path);
    if (this.process === undefined) return this.launch();
    if (isNew) this.sendDirectory(path);
    return true;
  }

  /** Registers a run; call it before the prompt is written. Returns false if no guardian could be started. */
  start(run: GuardedRun): boolean {
    this.active.set(run.run, run);
    if (this.process !== undefined) this.process.send(run);
    else if (!this.launch()) this.active.delete(run.run);
    return this.process !== undefined;
  }

  /** Reports the state of an active run. When this process exits, it kills the processes that await it, before its sockets close. */
  setState(run: string, state: RunState): void {
    if (!this.active.has(run) || (this.states.get(run) ?? "running") === state) return;
    this.states.set(run, state);
    this.stateTimer ??= setTimeout(this.sendStates, STATE_DELAY_MS).unref();
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
    this.states.delete(run);
    this.told.delete(run);
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
    const launched = spawnGuardian({
      onReady: () => this.sawReady(launched),
      onEnd: (owed, wasReady) => this.replace(launched, owed, wasReady),
    });
    if (launched === undefined) return false;
    this.process = launched;
    process.once("exit", this.sawExit);
    for (const path of this.directories) this.sendDirectory(path);
    for (const run of this.active.values()) launched.send(run);
    this.sendStates();
    return true;
  }

  private sendDirectory(path: string): void {
    const around = process.env[RUN_MARKER];
    this.process?.send({ op: "directory", path, ...(around !== undefined && { around }) });
  }

  private readonly sendStates = (): void => {
    clearTimeout(this.stateTimer);
    this.stateTimer = undefined;
    for (const [run, state] of this.states) {
      if (this.process === undefined || (this.told.get(run) ?? "running") === state) continue;
      this.process.send({ op: "state", run, state });
      this.told.set(run, state);
    }
  };

  private readonly sawExit = (): void => {
    for (const [run, state] of this.states) {
      if (state === "awaits-host") sendGroupSignal(this.active.get(run)?.pid ?? 0, "SIGKILL");
    }
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
    const { run, files, leftovers = [] } = ended;
    const sweep = sweepTree(new RunTree(run, rootOf(ended)))
      .catch(() => {})
      .then(() => {
        removeQuietly(files);
        removeLeftovers(leftovers);
        this.ownSweeps.delete(sweep);
      });
    this.ownSweeps.add(sweep);
  }

  private forget(forgotten: GuardianProcess | undefined): void {
    if (forgotten !== this.process) return;
    this.process = undefined;
    this.isReady = false;
    this.told.clear();
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
