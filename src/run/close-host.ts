import type { ActiveProcess, RunHost } from "./run-host.ts";

/** Ends all processes and keeps this process alive until they have ended; each one has a time limit. */
export async function closeHost({ pool, parked, spills }: RunHost, active: ReadonlySet<ActiveProcess>): Promise<void> {
  pool?.close();
  parked?.close();
  const keepAlive = setInterval(() => {}, 1000);
  for (const process of active) process.end();
  while (active.size > 0) await Promise.all([...active].map((process) => process.gone));
  clearInterval(keepAlive);
  for (const spill of spills) spill.close();
}
