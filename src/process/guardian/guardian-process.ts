import { type ChildProcess, spawn } from "node:child_process";
import { HOST_ID } from "../../files/host-directory.ts";
import { findOwnProgram } from "../child/find-program.ts";
import { GUARDIAN_MARKER } from "../tree/process-table.ts";
import { type GuardedRun, type GuardianMessage, SIGN_INTERVAL_MS, SIGN_OF_LIFE } from "./guardian-protocol.ts";

/**
 * A guardian that owes something and gives no sign of life for this many ticks is given up: for two seconds if the host waits for
 * it, else for ten. Ticks are counted and no time is measured, so that a host that was itself stopped does not blame its guardian.
 */
const MOST_SILENT_TICKS = { waitedFor: 8, inBackground: 40 };

/** The guardian searches for the processes of ended runs 150 ms later, so it need not hear of each end at once. */
const END_DELAY_MS = 20;

/** What a guardian process reports to its host; both at most once. */
export type GuardianEvents = {
  onReady(): void;
  /** The process has exited or was given up; `owed` are the ended runs whose processes it has not ended. */
  onEnd(owed: readonly GuardedRun[], wasReady: boolean): void;
};

/** One guardian process. It never keeps the host alive unless the host waits for it. */
export class GuardianProcess {
  private readonly child: ChildProcess;
  private readonly events: GuardianEvents;
  private isReady = false;
  private hasEnded = false;
  /** True if the host waits for the exit of the process. */
  private isClosing = false;
  /** The ended runs that it has not reported yet. */
  private readonly owed = new Map<string, GuardedRun>();
  private waiting: { readonly runs: ReadonlySet<string>; readonly resolve: () => void }[] = [];
  private ticking: NodeJS.Timeout | undefined;
  private silentTicks = 0;
  private rest = "";
  /** Messages that are sent together with the next one. */
  private pending = "";
  private pendingTimer: NodeJS.Timeout | undefined;

  constructor(child: ChildProcess, events: GuardianEvents) {
    this.child = child;
    this.events = events;
    // Not "exit", which may come before the last lines have been read.
    child.once("close", () => this.end());
    child.stdin?.on("error", () => {});
    child.stdout?.setEncoding("utf8");
    child.stdout?.on("data", (text: string) => this.read(text)).on("error", () => {});
    child.unref();
    for (const pipe of [child.stdin, child.stdout]) {
      if (pipe !== null && "unref" in pipe && typeof pipe.unref === "function") pipe.unref();
    }
  }

  /** Sends a message, after those that wait. */
  send(message: GuardianMessage): void {
    this.pending += `${JSON.stringify(message)}\n`;
    this.flush();
  }

  /**
   * Tells it, soon, that the process of a run has exited; from now on it owes the end of all other processes of the run. The next
   * message takes this one along, because a write that wakes the guardian costs more than all else that a run tells it.
   */
  sendEnd(run: GuardedRun): void {
    this.owed.set(run.run, run);
    this.pending += `${JSON.stringify({ op: "end", run: run.run } satisfies GuardianMessage)}\n`;
    this.pendingTimer ??= setTimeout(this.flush, END_DELAY_MS).unref();
    this.startTicking();
  }

  readonly flush = (): void => {
    clearTimeout(this.pendingTimer);
    this.pendingTimer = undefined;
    if (this.pending !== "") this.child.stdin?.write(this.pending);
    this.pending = "";
  };

  /** Resolves when it has ended the processes of all runs that have ended so far, or has itself ended. */
  settled(): Promise<void> {
    if (this.owed.size === 0 || this.hasEnded) return Promise.resolve();
    this.send({ op: "hurry" });
    return new Promise((resolve) => this.wait(new Set(this.owed.keys()), resolve));
  }

  /** Ends it: it ends the runs that are still active and exits. Resolves when it has ended. */
  close(): Promise<void> {
    if (this.hasEnded) return Promise.resolve();
    this.send({ op: "leave" });
    this.child.stdin?.end();
    this.isClosing = true;
    return new Promise((resolve) => this.wait(new Set(), resolve));
  }

  private wait(runs: ReadonlySet<string>, resolve: () => void): void {
    this.waiting.push({ runs, resolve });
    this.startTicking();
    this.ticking?.ref();
  }

  private read(text: string): void {
    this.silentTicks = 0;
    const lines = (this.rest + text).split("\n");
    this.rest = lines.pop() ?? "";
    for (const line of lines) if (line !== SIGN_OF_LIFE) this.owed.delete(line);
    if (!this.isReady) this.events.onReady();
    this.isReady = true;
    this.resolveWaiting();
  }

  private resolveWaiting(): void {
    const isOver = ({ runs }: { readonly runs: ReadonlySet<string> }): boolean =>
      this.hasEnded || (!this.isClosing && ![...runs].some((run) => this.owed.has(run)));
    const over = this.waiting.filter(isOver);
    this.waiting = this.waiting.filter((each) => !over.includes(each));
    for (const { resolve } of over) resolve();
    if (this.waiting.length === 0) this.ticking?.unref();
  }

  private startTicking(): void {
    if (this.ticking !== undefined) return;
    this.silentTicks = 0;
    this.ticking = setInterval(() => this.tick(), SIGN_INTERVAL_MS).unref();
  }

  private tick(): void {
    this.silentTicks += 1;
    if (this.owed.size === 0 && !this.isClosing) this.stopTicking();
    else if (this.silentTicks > MOST_SILENT_TICKS[this.waiting.length > 0 ? "waitedFor" : "inBackground"]) this.end();
  }

  private stopTicking(): void {
    clearInterval(this.ticking);
    this.ticking = undefined;
  }

  /** A stopped process (SIGSTOP) is ended by SIGKILL, so that it does not wake up later and do the work again. */
  private end(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    clearTimeout(this.pendingTimer);
    this.stopTicking();
    this.child.kill("SIGKILL");
    this.events.onEnd([...this.owed.values()], this.isReady);
    this.resolveWaiting();
  }
}

/** Undefined if the guardian cannot be started. */
export function spawnGuardian(events: GuardianEvents): GuardianProcess | undefined {
  const program = findOwnProgram("process/guardian/guardian-main");
  if (program === undefined) return undefined;
  const { PATH, SystemRoot } = process.env;
  const env = {
    [GUARDIAN_MARKER]: HOST_ID,
    ...(PATH !== undefined && { PATH }),
    ...(SystemRoot !== undefined && { SystemRoot }),
  };
  const args = ["--disable-warning=ExperimentalWarning", program];
  try {
    const child = spawn(process.execPath, args, {
      detached: true,
      stdio: ["pipe", "pipe", "ignore"],
      env,
      cwd: "/",
      windowsHide: true,
    });
    child.once("error", () => {});
    return child.pid === undefined ? undefined : new GuardianProcess(child, events);
  } catch {
    return undefined;
  }
}
