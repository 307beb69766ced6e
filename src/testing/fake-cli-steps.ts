import type { JsonValue } from "../spec/json.ts";

/** One step of a fake CLI. */
export type FakeStep =
  /** Prints a JSON value as a line. */
  | { readonly do: "print"; readonly value: JsonValue }
  /** Prints bytes unchanged, to stdout by default; `base64` for bytes that are not text. */
  | { readonly do: "write"; readonly text?: string; readonly base64?: string; readonly to?: "stdout" | "stderr" }
  /** Reads one line of stdin, or all of it. */
  | { readonly do: "read"; readonly what: "line" | "all" }
  | { readonly do: "wait"; readonly ms: number }
  /** From here on SIGINT and SIGTERM have no effect. */
  | { readonly do: "ignore-signals" }
  | { readonly do: "close-stdout" }
  /** Starts a process in its own session that lives for the given time; it holds stdout open by default. */
  | { readonly do: "leave-process"; readonly ms: number; readonly holdStdout?: boolean }
  | { readonly do: "exit"; readonly code: number }
  /** Sends a signal to itself. */
  | { readonly do: "die"; readonly signal: "SIGKILL" | "SIGTERM" | "SIGSEGV" };

/** The arguments, directory and input of one call of a fake CLI. */
export type FakeCall = { readonly argv: readonly string[]; readonly cwd: string; readonly stdin: string };
