import type { Guardian } from "../process/guardian.ts";
import type { Failure } from "../spec/failure.ts";
import type { Provider } from "../spec/provider.ts";
import type { KnownVersions } from "./known-versions.ts";
import type { Spill } from "./spill.ts";

/** A process that may still be there. */
export type ActiveProcess = {
  /** Ends it and everything it caused. */
  end(): void;
  readonly gone: Promise<void>;
};

/** What runs share: the environment they inherit, who guards them, and their bounds. */
export type RunHost = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly guardian: Guardian | undefined;
  readonly limits: { readonly lineBytes: number; readonly spillBytes: number };
  /** Files with events that no consumer has read yet. */
  readonly spills: Set<Spill>;
  readonly providers: readonly Provider[];
  readonly versions: KnownVersions;
  /** Aborted when the client is closed: nothing is started any more. */
  readonly closing: AbortSignal;
  /** Completes the failure of a rejected flag with the version of the program; starts it for that. */
  readonly explainUnknownOption: (failure: Failure, provider: Provider) => Promise<Failure>;
  readonly nextRunId: () => string;
  readonly track: (process: ActiveProcess) => void;
};
