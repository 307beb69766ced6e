import { claimLeftovers, releaseLeftovers, removeLeftovers, removeSoon } from "../../files/leftovers.ts";
import type { ExitReport } from "../../spec/wire/wire.ts";
import type { Guardian } from "../guardian/guardian.ts";
import { endTree, sweepTree } from "../tree/end-tree.ts";
import { RunTree } from "../tree/run-tree.ts";
import { TreeWatch } from "../tree/tree-watch.ts";
import { type Output, type StderrEnds, StderrKeeper } from "./output.ts";
import type { Child } from "./spawn-child.ts";

export type SuperviseOptions = {
  readonly run: string;
  readonly guardian: Guardian | undefined;
  readonly stopSignal: NodeJS.Signals;
  readonly output: Output;
  readonly directory: string;
  /** Removed when the child has exited; the guardian removes them again after the processes that it left. */
  readonly files: readonly string[];
  /** Directories that are removed after the child and all its processes have ended, if they are empty then. */
  readonly leftovers?: readonly string[];
  readonly onStdout: (chunk: Uint8Array) => void;
  readonly onStderr?: () => void;
  /** The child will print nothing more. Not called after `release` or `stop`. */
  readonly onEnd: (exit: ExitReport) => void;
};

/** How long a child may take to exit by itself after it has closed its output or answered. */
const LEAVE_GRACE_MS = 1500;
/** After the exit of a child its output counts as ended when nothing came for this long, even if a grandchild holds a pipe open. */
const DRAIN_GRACE_MS = 100;
/** After the exit of a child its output counts as ended after this time, even if a grandchild goes on printing. */
const DRAIN_LIMIT_MS = 2000;

/** Watches the children of this host that have no guardian. */
const watch = new TreeWatch();

/**
 * Supervises one child until it and all processes that it started have ended. It always drains the child's output, reports the end
 * at most once, and ends a child that does not exit within the grace period.
 */
export class Supervisor {
  /** Resolves when the child has exited and the guardian or a sweep ends the processes that it left. */
  readonly gone: Promise<void>;
  readonly directory: string;
  private readonly child: Child;
  private readonly options: SuperviseOptions;
  private readonly tree: RunTree;
  private readonly stderrKeeper = new StderrKeeper();
  private exit: ExitReport | undefined;
  private exitedAt = 0;
  private outputClosed = false;
  private bytesSeen = 0;
  private listening = true;
  /** True while the child does not keep the host alive. */
  private isResting = false;
  private finished = false;
  private grace: NodeJS.Timeout | undefined;
  private stopping: Promise<void> | undefined;
  private markGone: () => void = () => {};

  constructor(child: Child, options: SuperviseOptions) {
    this.child = child;
    this.options = options;
    this.directory = options.directory;
    this.gone = new Promise((resolve) => {
      this.markGone = resolve;
    });
    this.tree = new RunTree(options.run, child.pid === undefined ? undefined : { pid: child.pid });
    if (options.guardian === undefined) watch.add(this.tree);
    claimLeftovers(options.leftovers ?? []);
    child.stdin.on("error", () => {});
    options.output.follow(child, { onChunk: (chunk) => this.sawOutput(chunk), onClose: () => this.sawClose() });
    child.stderr.on("data", (chunk: Uint8Array) => this.sawStderr(chunk));
    child.stderr.on("error", () => {});
    child.once("exit", (code, signal) => this.sawExit(code, signal));
    child.once("error", () => {});
  }

  stderr(): StderrEnds {
    return this.stderrKeeper.read();
  }

  /** Undefined once the child has exited. */
  pid(): number | undefined {
    return this.exit === undefined ? this.child.pid : undefined;
  }

  /** Undefined while the child runs. */
  exited(): ExitReport | undefined {
    return this.exit;
  }

  /** Resolves when everything that the child has printed so far has been read. */
  settle(): Promise<void> {
    return this.options.output.settle();
  }

  /** Ignores a child that does not read its stdin. */
  write(text: string): void {
    this.child.stdin.write(text);
  }

  closeInput(): void {
    // A pipe that has failed would make an error, with its stack, for each further end.
    if (!this.child.stdin.destroyed) this.child.stdin.end();
  }

  /** Reports that a tool of the CLI has begun or ended, so that its processes are seen while they have a parent. */
  sawTool(): void {
    if (this.options.guardian === undefined) watch.lookSoon();
    else this.options.guardian.sawTool();
  }

  /** Reports whether the child waits for an answer of this host. If the host exits while it waits, the child is killed at once. */
  setAwaitsHost(awaitsHost: boolean): void {
    // A child that is stopped while it waits is still killed if the host exits before the child does.
    if (this.stopping !== undefined || this.exit !== undefined) return;
    this.options.guardian?.setState(this.options.run, awaitsHost ? "awaits-host" : "running");
  }

  /** The host may exit before the child as soon as the guardian is ready to end the child. */
  rest(): void {
    this.isResting = true;
    this.options.guardian?.whenReady(() => {
      if (this.isResting) this.setKeepAlive("unref");
    });
  }

  /** The child keeps the host alive for the next turn. */
  wake(): void {
    if (!this.isResting) return;
    this.isResting = false;
    this.setKeepAlive("ref");
  }

  private setKeepAlive(change: "ref" | "unref"): void {
    this.child[change]();
    for (const pipe of this.child.stdio) {
      // Pipes of a child are sockets; their type does not show it.
      const act: unknown = pipe && Reflect.get(pipe, change);
      if (typeof act === "function") act.call(pipe);
    }
  }

  /** Ends the supervision after the answer: the child has a grace period to exit and no longer keeps the host alive. */
  release(): void {
    this.ignoreOutput();
    this.closeInput();
    this.options.guardian?.setState(this.options.run, "released");
    if (this.exit !== undefined) return this.end();
    this.rest();
    this.armGrace(LEAVE_GRACE_MS, () => this.stop());
  }

  /** Ends the child and all processes that it started. */
  stop(): void {
    this.ignoreOutput();
    clearTimeout(this.grace);
    if (this.exit !== undefined) return this.end();
    if (this.stopping !== undefined) return;
    // A CLI that waits for EOF on stdin exits sooner: claude in 0.2 s instead of up to 1.6 s.
    this.closeInput();
    this.rest();
    const { stopSignal, guardian } = this.options;
    this.stopping = endTree(this.tree, stopSignal, { isGuarded: guardian !== undefined })
      .catch(() => {})
      // A child that hangs in a system call survives SIGKILL. The guardian takes it over, and `gone` resolves without it.
      .then(() => void setTimeout(() => this.markGone(), DRAIN_GRACE_MS).unref());
  }

  private ignoreOutput(): void {
    this.listening = false;
    this.options.output.ignore();
  }

  private sawOutput(chunk: Uint8Array): void {
    this.bytesSeen += chunk.byteLength;
    if (!this.listening) return;
    this.options.onStdout(chunk);
  }

  private sawStderr(chunk: Uint8Array): void {
    this.stderrKeeper.push(chunk);
    if (this.listening) this.options.onStderr?.();
  }

  private sawClose(): void {
    this.outputClosed = true;
    if (this.exit !== undefined) this.end();
    else this.armGrace(LEAVE_GRACE_MS, () => this.end());
  }

  private sawExit(code: number | null, signal: NodeJS.Signals | null): void {
    this.exit = { ...(code !== null && { exitCode: code }), ...(signal !== null && { signal }) };
    this.exitedAt = performance.now();
    this.tree.sawRootExit();
    // From now on another process may have its pid.
    this.options.guardian?.setState(this.options.run, "running");
    if (this.outputClosed || !this.listening) this.end();
    else this.awaitDrain();
  }

  private awaitDrain(): void {
    this.armGrace(DRAIN_GRACE_MS, () => {
      const before = this.bytesSeen;
      const isLate = performance.now() > this.exitedAt + DRAIN_LIMIT_MS;
      this.settle()
        .then(() => {
          if (isLate || this.bytesSeen === before || !this.listening) this.end();
          else this.awaitDrain();
        })
        .catch(() => this.end());
    });
  }

  private end(): void {
    clearTimeout(this.grace);
    const wasListening = this.listening;
    this.listening = false;
    if (wasListening) this.options.onEnd({ ...this.exit, ...(this.options.output.isCut() && { isCut: true }) });
    if (this.exit === undefined) this.stop();
    else this.finish().catch(() => this.markGone());
  }

  /** Cleans up after the exit of the child: pipes, files, leftovers and the processes that it left. */
  private async finish(): Promise<void> {
    if (this.finished) return;
    this.finished = true;
    const { run, guardian, files, leftovers = [], output } = this.options;
    output.close();
    for (const pipe of [this.child.stderr, this.child.stdin]) pipe.destroy();
    await this.stopping;
    // Removed now, so that the next run finds the directory unchanged; the guardian tries again after its sweep.
    releaseLeftovers(leftovers);
    removeLeftovers(leftovers);
    if (guardian?.end(run) !== true) await sweepTree(this.tree).catch(() => {});
    await removeSoon(files);
    removeLeftovers(leftovers);
    watch.remove(this.tree);
    this.markGone();
  }

  private armGrace(waitMs: number, act: () => void): void {
    clearTimeout(this.grace);
    this.grace = setTimeout(act, waitMs);
    if (!this.listening) this.options.guardian?.whenReady(() => this.grace?.unref());
  }
}
