import type { RunEvent } from "../spec/events.ts";
import { Spill } from "./spill.ts";

type Batch = readonly RunEvent[];

/**
 * Batches between a program that prints and a consumer that reads: the program is never held up, and past a bound the
 * batches wait in a file instead of in memory.
 */
export class BatchQueue {
  private readonly spillBytes: number;
  private waiting: { readonly batch: Batch; readonly weight: number }[] = [];
  private weight = 0;
  private spill: Spill | undefined;
  private ended = false;
  private wake: ((batch: Batch | undefined) => void) | undefined;

  constructor(spillBytes: number) {
    this.spillBytes = spillBytes;
  }

  /** Adds a batch; `weight` is about how many bytes it takes. */
  push(batch: Batch, weight: number): void {
    if (this.wake !== undefined) {
      const wake = this.wake;
      this.wake = undefined;
      wake(batch);
    } else if (this.spill !== undefined || this.weight + weight > this.spillBytes) {
      this.spill ??= new Spill();
      this.spill.push(batch);
    } else {
      this.waiting.push({ batch, weight });
      this.weight += weight;
    }
  }

  /** No more batches will come. */
  end(): void {
    this.ended = true;
    this.wake?.(undefined);
    this.wake = undefined;
  }

  /** The next batch, or undefined after the last. */
  next(): Batch | undefined | Promise<Batch | undefined> {
    const first = this.waiting.shift();
    if (first !== undefined) {
      this.weight -= first.weight;
      return first.batch;
    }
    if (this.spill !== undefined) return this.nextSpilled(this.spill);
    if (this.ended) return undefined;
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }

  private nextSpilled(spill: Spill): Batch {
    const batch = spill.shift();
    if (spill.isEmpty) {
      spill.close();
      this.spill = undefined;
    }
    return batch;
  }
}
