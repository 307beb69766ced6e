/** Work that pauses after each slice, so that its caller can let the event loop run in between. */
export type Sliced<T> = Generator<undefined, T, undefined>;

/** How many characters one slice may process: a millisecond or two of work. */
export const SLICE: number = 64 * 1024;

/** Does all slices at once. For short texts, and for callers that cannot wait. */
export function finish<T>(work: Sliced<T>): T {
  let step = work.next();
  while (step.done !== true) step = work.next();
  return step.value;
}
