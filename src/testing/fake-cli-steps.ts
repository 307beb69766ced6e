import type { JsonValue } from "../spec/json.ts";

/** One thing a fake CLI does. */
export type FakeStep =
  /** Prints a JSON value as a line. */
  | { readonly do: "print"; readonly value: JsonValue }
  /** Prints bytes as they are, to stdout unless said otherwise; `base64` for what is no text. */
  | { readonly do: "write"; readonly text?: string; readonly base64?: string; readonly to?: "stdout" | "stderr" }
  /** Reads one line of stdin, or all of it. */
  | { readonly do: "read"; readonly what: "line" | "all" }
  | { readonly do: "wait"; readonly ms: number }
  /** From here on SIGINT and SIGTERM have no effect. */
  | { readonly do: "ignore-signals" }
  | { readonly do: "close-stdout" }
  /** Starts a process in a session of its own that stays for the given time; it keeps stdout open unless told not to. */
  | { readonly do: "leave-process"; readonly ms: number; readonly holdStdout?: boolean }
  | { readonly do: "exit"; readonly code: number }
  /** Ends itself by a signal. */
  | { readonly do: "die"; readonly signal: "SIGKILL" | "SIGTERM" | "SIGSEGV" };

/** What a fake CLI saw when it was called. */
export type FakeCall = { readonly argv: readonly string[]; readonly cwd: string; readonly stdin: string };
