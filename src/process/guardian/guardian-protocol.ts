import type { Root } from "../tree/run-tree.ts";

/** The host writes each message to its guardian as one JSON line. */
export type GuardianMessage =
  /** A process was started. The guardian removes `files` if the host dies, and `leftovers` after all processes of the run. */
  | {
      readonly op: "start";
      readonly run: string;
      readonly pid: number;
      /** When it was started, by the clock that all processes share, in milliseconds since 1970. */
      readonly startedAt: number;
      readonly signal: NodeJS.Signals;
      readonly files: readonly string[];
      readonly leftovers?: readonly string[];
    }
  /** The directory of this host, which the guardian removes if the host dies; `around` is the run in which this host runs. */
  | { readonly op: "directory"; readonly path: string; readonly around?: string }
  /** The host closes its guardian and goes on. */
  | { readonly op: "leave" }
  | { readonly op: "state"; readonly run: string; readonly state: RunState }
  /** A tool has begun or ended; the guardian looks at the processes soon. */
  | { readonly op: "look" }
  /** The process has exited. The guardian ends the processes that it left and then prints the run. */
  | { readonly op: "end"; readonly run: string }
  /** The host waits for the ended runs. */
  | { readonly op: "hurry" };

/**
 * What the guardian does with the process of a run if the host exits: a running one is ended; a released one has given its answer and gets time to exit by itself;
 * one that awaits the host would ask its model once more without the host's answer, so it is killed at once.
 */
export type RunState = "running" | "released" | "awaits-host";

export type GuardedRun = Extract<GuardianMessage, { op: "start" }>;

/** The guardian prints this line when it is ready, and while it works for the host. */
export const SIGN_OF_LIFE = "!";
/** How often the guardian prints the sign of life while it works. */
export const SIGN_INTERVAL_MS = 250;

/** The process of a run as the root of a tree; a clock that was set back does not move its start to the future. */
export function rootOf({ pid, startedAt }: GuardedRun): Root {
  return { pid, startedAt: performance.now() - Math.max(0, Date.now() - startedAt) };
}
