import type { PartContext } from "../run/part.ts";
import type { RunEnd } from "../spec/wire/events.ts";

/**
 * Runs a part that a policy can stop as a cancelled run stops it. `watch` gets the function that stops the part, and returns the one
 * that ends the watching; that one is called when the part has ended.
 */
export async function runStoppable(
  context: PartContext,
  watch: (stop: () => void) => () => void,
  run: (context: PartContext) => Promise<RunEnd>,
): Promise<RunEnd> {
  const { signal } = context;
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop);
  const stopWatching = watch(stop);
  return await run({ ...context, signal: stopping.signal }).finally(() => {
    stopWatching();
    signal.removeEventListener("abort", stop);
  });
}
