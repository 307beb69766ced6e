import type { Failure } from "./failure.ts";

/** The message and the hint of a failure in one line, as separate sentences: many messages of CLIs end without a period. */
export function failureSentences({ message, hint }: Pick<Failure, "message" | "hint">): string {
  if (hint === "") return message;
  return `${message}${/[.!?…:]$/.test(message) ? "" : "."} ${hint}`;
}
