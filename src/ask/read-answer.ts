import type { HostCall, InvalidCall } from "../spec/tool.ts";
import type { RunEnd } from "../spec/wire/events.ts";

/** The end of one attempt, its unchanged text, and the calls, problems or value in it. */
export type ReadAnswer = {
  readonly end: RunEnd;
  readonly fullText: string;
  readonly shownIds: readonly string[];
  readonly answerId?: string;
  readonly sessionId?: string;
  readonly calls: readonly HostCall[];
  readonly problems: readonly string[];
  /** The calls of the answer, if unknown tools and wrong arguments are its only problems. */
  readonly invalidCalls: readonly InvalidCall[];
  /** Whether the problems are about calls or about the structured value. */
  readonly wanted: "calls" | "object";
  /** True when reading or validating was stopped, by an abort or the total timeout. */
  readonly isUnread: boolean;
};
