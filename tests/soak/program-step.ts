/** One thing that the program of a soak does. */
export type ProgramStep =
  /** Prints to stdout, several times if told so; `{model}` stands for the model that it was asked for. */
  | { readonly out: string; readonly times?: number }
  | { readonly err: string }
  | { readonly waitMs: number }
  /** Waits until a file of this name is in the directory of its call. */
  | { readonly until: string }
  /** From here on SIGINT and SIGTERM have no effect. */
  | { readonly stubborn: true }
  /** Starts a process in a session of its own that stays for so long. */
  | { readonly leavesMs: number }
  | { readonly exit: number }
  | { readonly die: "SIGKILL" | "SIGSEGV" };

/** What the first, second, … process of a provider does in a call; the last one repeats. */
export type ProgramScript = readonly (readonly ProgramStep[])[];
