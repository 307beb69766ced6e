/** One step of the program of a soak. */
export type ProgramStep =
  /** Prints to stdout, several times if `times` is set; `{model}` stands for the requested model. */
  | { readonly out: string; readonly times?: number }
  | { readonly err: string }
  | { readonly waitMs: number }
  /** Waits until a file of this name is in the directory of its call. */
  | { readonly until: string }
  /** From here on SIGINT and SIGTERM have no effect. */
  | { readonly stubborn: true }
  /** Starts a process in its own session that stays for this time. */
  | { readonly leavesMs: number }
  | { readonly exit: number }
  | { readonly die: "SIGKILL" | "SIGSEGV" };

/** The steps of the first, second, … process of a provider in a call; the last list repeats. */
export type ProgramScript = readonly (readonly ProgramStep[])[];
