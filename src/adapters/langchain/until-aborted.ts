/** The value of a promise; rejects with the reason of the signal when it aborts, even if the work behind the promise does not stop. */
export async function untilAborted<Value>(answer: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return await answer;
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([answer, promise]);
  } finally {
    signal.removeEventListener("abort", abort);
    answer.catch(() => undefined);
  }
}
