/**
 * Waits for SIGINT or SIGTERM, then for `stop`. Each further signal calls it again with its count, so that it can hurry. Removes its
 * handlers when it has stopped.
 */
export async function untilStopped(stop: (count: number) => Promise<void>): Promise<void> {
  // A server listens as long as this process runs, so nothing else has to keep it alive.
  await new Promise<void>((resolve, reject) => {
    let count = 0;
    const onSignal = (): void => {
      count += 1;
      stop(count).then(finish, reject);
    };
    const finish = (): void => {
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, onSignal);
      resolve();
    };
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, onSignal);
  });
}
