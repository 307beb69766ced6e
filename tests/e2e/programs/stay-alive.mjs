// Keeps a program alive for ten minutes: longer than any test, not for ever if a test is lost.
export const stayAlive = () => void setTimeout(() => {}, 600_000);

/** From now on the two polite signals do nothing; `seen` is told about each. */
export function ignoreSignals(seen = () => {}) {
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => seen(signal));
}
