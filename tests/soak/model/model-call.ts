import type { RequestOption } from "../../../src/spec/capabilities.ts";
import type { FailureCode } from "../../../src/spec/failure-codes.ts";
import type { Budget } from "../../../src/spec/policy.ts";
import type { SessionChoice, Target } from "../../../src/spec/request.ts";

/** A setting that only tunes the answer. */
export type TuningSetting = "effort" | "maxTurns" | "maxOutputTokens";

/** What of a request matters to the policies. */
export type RequestFacts = {
  readonly session?: SessionChoice;
  /** `timeouts.totalMs`. */
  readonly totalMs?: number;
  readonly maxWaitMs?: number;
  readonly budget?: Budget;
  readonly strict?: boolean;
  readonly auth?: "api-key";
  /** Settings given that a CLI may leave out. */
  readonly settings?: readonly TuningSetting[];
  /** What else is asked for and must not be left out, apart from the session and the profile. */
  readonly needs?: readonly RequestOption[];
};

/** What a process did that could be seen before it ended. */
export type Said = "nothing" | "text" | "reasoning" | "object" | "tool";

/** What one attempt on a provider will come to. */
export type Behaviour = {
  readonly end: "answer" | FailureCode;
  readonly said: Said;
  /** How many messages were begun, when text or reasoning was said; 1 by default. */
  readonly messages?: number;
  /** Where it fails when no process comes to be: looked through before, or as the system is asked to start it. */
  readonly at?: "before-start" | "spawn";
  readonly retryAfterMs?: number;
  /** Milliseconds since 1970. */
  readonly resetAt?: number;
  /** The words of a spent quota are about one model, that of the target. */
  readonly isAboutModel?: boolean;
  /** Input and output, as reported or as they will be estimated. */
  readonly tokens?: number;
  readonly usd?: number;
  /** Tokens and money are told while the process still works, long before its end; otherwise with its end. */
  readonly toldEarly?: boolean;
  /** At least this long, and at most the slack of the client longer; 0 by default. `Infinity`: until a clock stops it. */
  readonly durationMs?: number;
};

/** One call of `client.run` and what will happen to it. */
export type ModelCall = {
  readonly targets: readonly Pick<Target, "provider" | "model" | "profile" | "requires">[];
  readonly request: RequestFacts;
  /** Whether somebody reads the events or only asks for the result. */
  readonly reads: "events" | "result";
  /** `context.commit`. */
  readonly commit?: "first-event" | "end";
  /** What the first, second, … attempt on each provider does; the last one repeats, and without any it answers. */
  readonly script: Readonly<Record<string, readonly Behaviour[]>>;
  /** The caller cancels when it is told that the attempt of this number is made again. */
  readonly cancelAtRetryOf?: number;
};
