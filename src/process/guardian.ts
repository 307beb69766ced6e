import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { GuardianMessage } from "./guardian-protocol.ts";
import { GUARDIAN_MARKER } from "./process-table.ts";

/** What the guardian must know of a run that is in progress. */
export type GuardedRun = Extract<GuardianMessage, { op: "start" }>;

/**
 * The host's side of the guardian: one small process, started with the first run, that ends what this host started when the
 * host dies in any way, and sweeps up what a finished run left behind. It never keeps the host alive.
 */
export class Guardian {
  /** Names this host; every run id begins with it. */
  readonly hostId: string = `${process.pid}-${randomBytes(5).toString("hex")}`;
  private child: ChildProcess | undefined;
  private readonly active = new Map<string, GuardedRun>();
  private readonly released = new Set<string>();

  /** Must be called before a prompt is written; false when no guardian could be started. */
  start(run: GuardedRun): boolean {
    this.active.set(run.run, run);
    if (this.child === undefined) return this.launch();
    this.send(run);
    return true;
  }

  /** The run is over; its process may leave by itself within its grace. */
  release(run: string): void {
    this.released.add(run);
    this.send({ op: "release", run });
  }

  /** The run's process is gone; whatever else it caused is swept up. False when there is no guardian to do it. */
  end(run: string): boolean {
    this.active.delete(run);
    this.released.delete(run);
    return this.send({ op: "end", run });
  }

  /** Lets the guardian go; it ends what is still active. */
  close(): Promise<void> {
    const child = this.child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
    child.ref();
    const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    child.stdin?.end();
    return gone;
  }

  private launch(): boolean {
    const program = fileURLToPath(new URL(`./guardian-main${import.meta.url.slice(-3)}`, import.meta.url));
    const { PATH, SystemRoot } = process.env;
    const env = {
      [GUARDIAN_MARKER]: this.hostId,
      ...(PATH !== undefined && { PATH }),
      ...(SystemRoot !== undefined && { SystemRoot }),
    };
    const args = ["--disable-warning=ExperimentalWarning", "--max-semi-space-size=1", program];
    try {
      const child = spawn(process.execPath, args, {
        detached: true,
        stdio: ["pipe", "ignore", "ignore"],
        env,
        cwd: "/",
        windowsHide: true,
      });
      if (child.pid === undefined) child.once("error", () => {});
      else this.adopt(child);
    } catch {
      return false;
    }
    return this.child !== undefined;
  }

  private adopt(child: ChildProcess): void {
    this.child = child;
    const forget = (): void => {
      if (this.child === child) this.child = undefined;
    };
    child.once("exit", forget).once("error", forget);
    child.stdin?.on("error", () => {});
    child.unref();
    if (child.stdin !== null && "unref" in child.stdin && typeof child.stdin.unref === "function") child.stdin.unref();
    for (const run of this.active.values()) this.send(run);
    for (const run of this.released) this.send({ op: "release", run });
  }

  private send(message: GuardianMessage): boolean {
    this.child?.stdin?.write(`${JSON.stringify(message)}\n`);
    return this.child !== undefined;
  }
}
