import type { RunTree } from "./run-tree.ts";

/** How often the trees are looked at. Where ps lists the processes, a look costs twenty times as much. */
const INTERVAL_MS = process.platform === "linux" ? 1000 : 5000;
/** The watch takes at most one part in this many of a core, however long a look takes. */
const SHARE = 120;
/** What the watch did not use of that share within this time it may use at once, when tools begin and end. */
const BURST_MS = 2000;

/**
 * Looks at the trees of running processes once a second, so that each tree knows its processes before they change their parent,
 * session or environment. A run that ends within that second and reports no tool costs no look. It never keeps this process alive.
 */
export class TreeWatch {
  /** The trees and when they were added, the oldest first. */
  private readonly trees = new Map<RunTree, number>();
  private timer: NodeJS.Timeout | undefined;
  private dueAt = 0;
  private isToolReported = false;
  private lastCompleteLook = Number.NEGATIVE_INFINITY;
  /** The limit allows no look before. */
  private allowedAt = Number.NEGATIVE_INFINITY;

  add(tree: RunTree): void {
    this.trees.set(tree, performance.now());
    this.schedule(INTERVAL_MS);
  }

  remove(tree: RunTree): void {
    this.trees.delete(tree);
    if (this.trees.size === 0) this.cancel();
  }

  /** Looks at all trees as soon as the limit allows, because a tool has begun or ended. */
  lookSoon(): void {
    if (this.trees.size === 0) return;
    this.isToolReported = true;
    this.schedule(0);
  }

  /** Does nothing if a look is due before. */
  private schedule(waitMs: number): void {
    const now = performance.now();
    const dueAt = Math.max(now + waitMs, this.allowedAt);
    if (this.timer !== undefined && this.dueAt <= dueAt) return;
    clearTimeout(this.timer);
    this.dueAt = dueAt;
    this.timer = setTimeout(this.look, dueAt - now).unref();
  }

  private cancel(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.isToolReported = false;
  }

  private readonly look = (): void => {
    const hasToolRun = this.isToolReported;
    this.cancel();
    const since = performance.now();
    const [oldest = since] = this.trees.values();
    const isAnyOld = since - oldest >= INTERVAL_MS;
    if (!isAnyOld && !hasToolRun) return this.schedule(oldest + INTERVAL_MS - since);
    const before = process.cpuUsage();
    this.lookAtTrees(since);
    const { user, system } = process.cpuUsage(before);
    this.allowedAt = Math.max(this.allowedAt, since - BURST_MS) + ((user + system) / 1000) * SHARE;
    this.schedule(INTERVAL_MS);
  };

  /** A quick look finds the processes that a tool has just started; it is only quick soon after a complete one. */
  private lookAtTrees(since: number): void {
    const isComplete = since - this.lastCompleteLook >= INTERVAL_MS * 0.9;
    for (const tree of this.trees.keys()) {
      if (isComplete) tree.look(since);
      else tree.lookQuickly(since);
    }
    if (isComplete) this.lastCompleteLook = since;
  }
}
