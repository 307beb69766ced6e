import type { KnownVersions } from "../launch/known-versions.ts";
import type { Guardian } from "../process/guardian/guardian.ts";
import type { Failure } from "../spec/failure/failure.ts";
import type { Provider } from "../spec/provider/provider.ts";
import type { RunListener } from "../spec/run-listener.ts";
import type { Keeper } from "../warm/keeper.ts";
import type { KnownTotals } from "./known-totals.ts";
import type { Spill } from "./spill.ts";

export type ActiveProcess = {
  /** Ends the process and all processes that it started. */
  end(): void;
  readonly gone: Promise<void>;
};

export type RunHost = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly guardian: Guardian | undefined;
  readonly limits: { readonly lineBytes: number; readonly spillBytes: number };
  /** The spill files with events that no consumer has read yet. */
  readonly spills: Set<Spill>;
  readonly providers: readonly Provider[];
  readonly versions: KnownVersions;
  /** Aborts when the client is closed; after that no run is started. */
  readonly closing: AbortSignal;
  /** Adds the version of the program to the failure of a rejected flag; starts the program to get it. */
  readonly explainUnknownOption: (failure: Failure, provider: Provider) => Promise<Failure>;
  /** Undefined if no processes and turns are kept for later runs. */
  readonly keeper: Keeper | undefined;
  readonly onRun?: RunListener | undefined;
  readonly totals: KnownTotals;
  readonly nextRunId: () => string;
  readonly track: (process: ActiveProcess) => void;
};

/** Ends all processes and keeps this process alive until they have ended; each one has a time limit. */
export async function closeHost({ keeper, spills }: RunHost, active: ReadonlySet<ActiveProcess>): Promise<void> {
  keeper?.close();
  const keepAlive = setInterval(() => {}, 1000);
  for (const process of active) process.end();
  while (active.size > 0) await Promise.all([...active].map((process) => process.gone));
  clearInterval(keepAlive);
  for (const spill of spills) spill.close();
}
