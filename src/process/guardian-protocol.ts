/** A message from the host to its guardian, as one JSON line. */
export type GuardianMessage =
  /** A process was started. The guardian removes `files` if the host dies, and `leftovers` after all processes of the run. */
  | {
      readonly op: "start";
      readonly run: string;
      readonly pid: number;
      readonly signal: NodeJS.Signals;
      readonly files: readonly string[];
      readonly leftovers?: readonly string[];
    }
  /** The run has its answer; the process may exit by itself. */
  | { readonly op: "release"; readonly run: string }
  /** The process has exited. */
  | { readonly op: "end"; readonly run: string };
