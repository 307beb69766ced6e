const TICK_MS = 4;

type Sample = { readonly at: number; readonly cpuMs: number };

/**
 * Watches the event loop by a timer. It counts the CPU time of the main thread between two ticks, so that a loop that waits for
 * other processes does not count as blocked.
 */
export class LoopWatch {
  private readonly samples: Sample[] = [takeSample()];
  private readonly timer: NodeJS.Timeout = setInterval(() => this.samples.push(takeSample()), TICK_MS);

  /** Ends the watch and returns the longest time for which the main thread computed without hearing a timer. */
  end(): number {
    clearInterval(this.timer);
    this.samples.push(takeSample());
    return this.samples.reduce((longest, { cpuMs }, index) => {
      const before = this.samples[index - 1]?.cpuMs ?? cpuMs;
      return Math.max(longest, cpuMs - before);
    }, 0);
  }

  /** The CPU time of the main thread since this moment. */
  cpuSince(at: number): number {
    const before = this.samples.findLast((sample) => sample.at <= at);
    return threadCpuMs() - (before?.cpuMs ?? 0);
  }
}

function takeSample(): Sample {
  return { at: performance.now(), cpuMs: threadCpuMs() };
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
