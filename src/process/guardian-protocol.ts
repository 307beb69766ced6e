/** What a host tells its guardian, one JSON line each. */
export type GuardianMessage =
  /** A process was started; `files` are to be removed if the host cannot do it, `leftovers` when nothing of the run is left. */
  | {
      readonly op: "start";
      readonly run: string;
      readonly pid: number;
      readonly signal: NodeJS.Signals;
      readonly files: readonly string[];
      readonly leftovers?: readonly string[];
    }
  /** The run has its answer; the process may leave by itself. */
  | { readonly op: "release"; readonly run: string }
  /** The process is gone. */
  | { readonly op: "end"; readonly run: string };
