import { FAILURE_CODES, type FailureCode } from "../../../src/spec/failure/failure-codes.ts";
import { happens, pick, type Random, wholeBetween } from "../../support/random.ts";
import { FAILURE_ORIGINS, type FailureOrigin } from "./failure-origins.ts";
import type { Behaviour, Output } from "./model-call.ts";

type Origin = { readonly code: FailureCode; readonly origin: FailureOrigin };

const ORIGINS: readonly Origin[] = Object.keys(FAILURE_CODES)
  .filter((code): code is FailureCode => Object.hasOwn(FAILURE_ORIGINS, code))
  .flatMap((code) => FAILURE_ORIGINS[code].map((origin) => ({ code, origin })));

const OFTEN: readonly [FailureCode, ...FailureCode[]] = [
  "server-error",
  "overloaded",
  "connection-lost",
  "rate-limited",
  "quota-exhausted",
  "no-terminal-event",
];

const OUTPUT_BEFORE_FAILING: readonly [Output, ...Output[]] = [
  "nothing",
  "nothing",
  "nothing",
  "text",
  "reasoning",
  "object",
  "tool",
];

/** Longer than any run waits; an hour would be a spent quota. */
const LONG_WAIT_MS = 30 * 60_000;

/** The limits of a script. */
export type ScriptSurroundings = { readonly now: number; readonly hasTotalMs: boolean };

/** Draws the behaviour of a provider in a call: one failure for all attempts, or a process for each of the first ones. */
export function drawScript(random: Random, surroundings: ScriptSurroundings): readonly Behaviour[] {
  if (happens(random, 0.1)) {
    const [first, ...others] = ORIGINS.filter(({ origin }) => origin === "before-start" || origin === "spawn");
    if (first === undefined) return [];
    const { code, origin } = pick(random, [first, ...others]);
    return [{ end: code, output: "nothing", at: origin === "spawn" ? "spawn" : "before-start" }];
  }
  // A provider that fails in all attempts, so that retries are used up and breakers open.
  if (happens(random, 0.2)) return [{ end: pick(random, ["server-error", "connection-failed"]), output: "nothing" }];
  return Array.from({ length: wholeBetween(random, 1, 5) }, () => drawProcess(random, surroundings));
}

function drawProcess(random: Random, { now, hasTotalMs }: ScriptSurroundings): Behaviour {
  const end = happens(random, 0.25) ? "answer" : drawCode(random, hasTotalMs);
  const output = end === "answer" ? "text" : pick(random, OUTPUT_BEFORE_FAILING);
  const delays = happens(random, 0.5) && (end === "rate-limited" || end === "overloaded");
  const resets = happens(random, 0.6) && end === "quota-exhausted";
  const isReported = end === "answer" || happens(random, 0.4);
  return {
    end,
    output,
    ...(output === "text" && end !== "answer" && { messages: wholeBetween(random, 1, 3) }),
    ...(delays && { retryAfterMs: pick(random, [0, 7, 20, LONG_WAIT_MS]) }),
    ...(resets && { resetAt: now + pick(random, [-3_600_000, 60_000, 18_000_000]) }),
    ...(end === "quota-exhausted" && happens(random, 0.3) && { isAboutModel: true }),
    ...(isReported && { tokens: wholeBetween(random, 1, 4) * 100, usd: wholeBetween(random, 0, 4) / 4 }),
    ...(isReported && happens(random, 0.2) && { reportedEarly: true }),
  };
}

function drawCode(random: Random, hasTotalMs: boolean): FailureCode {
  if (happens(random, 0.65)) return pick(random, OFTEN);
  const [first, ...others] = ORIGINS.filter(({ origin }) => origin === "process" || (origin === "hang" && hasTotalMs));
  return first === undefined ? "unclassified" : pick(random, [first, ...others]).code;
}
