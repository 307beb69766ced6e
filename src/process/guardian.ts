import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { GuardianMessage } from "./guardian-protocol.ts";
import { GUARDIAN_MARKER } from "./process-table.ts";

/** What the guardian stores about a run in progress. */
export type GuardedRun = Extract<GuardianMessage, { op: "start" }>;

/** After this many guardians have exited before they were ready, no other one is started. */
const MOST_FALSE_STARTS = 3;

/** Most released processes exit within this time, and then the guardian is not woken for their release. */
const RELEASE_DELAY_MS = 50;

/** The guardian works for milliseconds at a time, so JIT compilers would cost memory and save no time (`npm run bench`). */
const FRUGAL: readonly string[] = ["--max-semi-space-size=1", "--no-opt", "--no-sparkplug"];

/**
 * The host's side of the guardian, a small process that is started with the first run. It ends the CLIs of this host when the host
 * dies, and the processes that a finished run left behind. It never keeps the host alive.
 */
export class Guardian {
  /** The id of this host; every run id begins with it. */
  readonly hostId: string = `${process.pid}-${randomBytes(5).toString("hex")}`;
  private child: ChildProcess | undefined;
  private isReady = false;
  private falseStarts = 0;
  private runs = 0;
  private readonly active = new Map<string, GuardedRun>();
  private readonly released = new Set<string>();
  private waiting: (() => void)[] = [];
  /** Released runs of which the guardian has not been told yet. */
  private readonly releasing = new Set<string>();
  private releaseTimer: NodeJS.Timeout | undefined;

  /** Returns a new run id, unique in this host. */
  nextRunId(): string {
    this.runs += 1;
    return `${this.hostId}.${this.runs}`;
  }

  /** Registers a run; call it before the prompt is written. Returns false if no guardian could be started. */
  start(run: GuardedRun): boolean {
    this.active.set(run.run, run);
    if (this.child !== undefined) return this.send(run);
    if (this.launch()) return true;
    this.active.delete(run.run);
    return false;
  }

  /** Marks a run as finished; its process may still exit by itself. */
  release(run: string): void {
    this.released.add(run);
    this.releasing.add(run);
    this.releaseTimer ??= setTimeout(this.sendReleases, RELEASE_DELAY_MS).unref();
  }

  /** Reports that the run's process has exited; the guardian ends the processes it left. Returns false without a guardian. */
  end(run: string): boolean {
    this.active.delete(run);
    this.released.delete(run);
    this.releasing.delete(run);
    return this.send({ op: "end", run });
  }

  /** Calls `act` when the guardian is ready, at once if it is already; never if it fails to start. */
  whenReady(act: () => void): void {
    if (this.isReady) act();
    else this.waiting.push(act);
  }

  /** Closes the guardian, which ends the runs that are still active. A later run starts a new one. */
  close(): Promise<void> {
    const child = this.child;
    this.sendReleases();
    this.forget(child);
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
    child.ref();
    const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    child.stdin?.end();
    return gone;
  }

  private launch(): boolean {
    if (this.falseStarts >= MOST_FALSE_STARTS) return false;
    const program = import.meta.url.endsWith(".ts") ? "guardian-main.ts" : "guardian-main.cjs";
    const { PATH, SystemRoot } = process.env;
    const env = {
      [GUARDIAN_MARKER]: this.hostId,
      ...(PATH !== undefined && { PATH }),
      ...(SystemRoot !== undefined && { SystemRoot }),
    };
    const args = [...FRUGAL, "--disable-warning=ExperimentalWarning", fileURLToPath(new URL(program, import.meta.url))];
    try {
      const child = spawn(process.execPath, args, {
        detached: true,
        stdio: ["pipe", "pipe", "ignore"],
        env,
        cwd: "/",
        windowsHide: true,
      });
      child.once("error", () => {});
      if (child.pid !== undefined) this.adopt(child);
    } catch {
      return false;
    }
    return this.child !== undefined;
  }

  private adopt(child: ChildProcess): void {
    this.child = child;
    child.once("exit", () => this.replace(child));
    process.once("exit", this.sendReleases);
    child.stdin?.on("error", () => {});
    child.stdout?.once("data", () => this.sawReady(child)).on("error", () => {});
    child.unref();
    for (const pipe of [child.stdin, child.stdout]) {
      if (pipe !== null && "unref" in pipe && typeof pipe.unref === "function") pipe.unref();
    }
    for (const run of this.active.values()) this.send(run);
    for (const run of this.released) this.send({ op: "release", run });
  }

  private readonly sendReleases = (): void => {
    clearTimeout(this.releaseTimer);
    this.releaseTimer = undefined;
    for (const run of this.releasing) this.send({ op: "release", run });
    this.releasing.clear();
  };

  private sawReady(child: ChildProcess): void {
    if (child !== this.child) return;
    this.isReady = true;
    this.falseStarts = 0;
    for (const act of this.waiting.splice(0)) act();
  }

  /** A guardian that exits unexpectedly is replaced if runs are in progress. */
  private replace(child: ChildProcess): void {
    if (child !== this.child) return;
    if (!this.isReady) this.falseStarts += 1;
    this.forget(child);
    if (this.active.size > 0) this.launch();
  }

  private forget(child: ChildProcess | undefined): void {
    if (child !== this.child) return;
    this.child = undefined;
    this.isReady = false;
    process.off("exit", this.sendReleases);
  }

  private send(message: GuardianMessage): boolean {
    this.child?.stdin?.write(`${JSON.stringify(message)}\n`);
    return this.child !== undefined;
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
    return shared.users === 0 ? shared.guardian.close() : Promise.resolve();
  };
  return { guardian: shared.guardian, leave };
}
