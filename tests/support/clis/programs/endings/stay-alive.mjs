// Keeps a program alive for ten minutes: longer than any test, but not forever if a test loses it.
export const stayAlive = () => void setTimeout(() => {}, 600_000);

/** Ignores SIGINT and SIGTERM from now on; `seen` is called for each. */
export function ignoreSignals(seen = () => {}) {
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => seen(signal));
}
