import type { Budget } from "../../../src/spec/client-options.ts";
import type { FailureCode } from "../../../src/spec/failure/failure-codes.ts";
import type { RequestOption } from "../../../src/spec/provider/cli-data.ts";
import type { SessionChoice, Target } from "../../../src/spec/request.ts";

/** A setting that only tunes the answer. */
export type TuningSetting = "effort" | "maxTurns" | "maxOutputTokens";

/** The part of a request that matters to the policies. */
export type RequestFacts = {
  readonly session?: SessionChoice;
  /** `timeouts.totalMs`. */
  readonly totalMs?: number;
  readonly maxWaitMs?: number;
  readonly budget?: Budget;
  readonly strict?: boolean;
  readonly auth?: "api-key";
  /** Settings that a CLI may ignore. */
  readonly settings?: readonly TuningSetting[];
  /** Other options that must not be ignored, apart from the session and the profile. */
  readonly needs?: readonly RequestOption[];
};

/** The visible output of a process before its end. */
export type Output = "nothing" | "text" | "reasoning" | "object" | "tool";

/** The behaviour of a provider in one attempt. */
export type Behaviour = {
  readonly end: "answer" | FailureCode;
  readonly output: Output;
  /** How many messages began, when there was text or reasoning; 1 by default. */
  readonly messages?: number;
  /** Where it fails if no process is started: in the checks before, or at the spawn. */
  readonly at?: "before-start" | "spawn";
  readonly retryAfterMs?: number;
  /** Milliseconds since 1970. */
  readonly resetAt?: number;
  /** The text of a spent quota is about one model, that of the target. */
  readonly isAboutModel?: boolean;
  /** Input and output, as reported or as they will be estimated. */
  readonly tokens?: number;
  readonly usd?: number;
  /** Tokens and money are reported while the process still works, long before its end; otherwise at its end. */
  readonly reportedEarly?: boolean;
  /** At least this long, and at most the slack of the client longer; 0 by default. `Infinity`: until a clock stops it. */
  readonly durationMs?: number;
};

/** One call of `client.run` and its script. */
export type ModelCall = {
  readonly targets: readonly Pick<Target, "provider" | "model" | "profile" | "requires">[];
  readonly request: RequestFacts;
  /** Whether the caller reads the events or only the result. */
  readonly reads: "events" | "result";
  /** `context.commit`. */
  readonly commit?: "first-event" | "end";
  /** The behaviour of the first, second, … attempt on each provider; the last one repeats, and without any it answers. */
  readonly script: Readonly<Record<string, readonly Behaviour[]>>;
  /** The caller cancels at the `retry` event of the attempt with this number. */
  readonly cancelAtRetryOf?: number;
};
