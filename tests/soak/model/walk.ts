import type { SessionChoice } from "../../../src/spec/request.ts";
import type { BreakerState } from "./breaker.ts";
import type { Behaviour, ModelCall, Output } from "./model-call.ts";
import type { ModelClient } from "./model-client.ts";
import type { FailureFacts, SkeletonEvent } from "./prediction.ts";
import { exactly, plus, type Range } from "./range.ts";

/** One run during its prediction: a draft of its events and of the state after it. */
export type Walk = {
  readonly client: ModelClient;
  readonly call: ModelCall;
  readonly startedAt: number;
  readonly events: SkeletonEvent[];
  elapsedMs: Range;
  attempts: number;
  /** How many behaviours of each provider's script were used. */
  readonly asked: Map<string, number>;
  readonly processes: Map<string, number>;
  session: SessionChoice | undefined;
  usd: number;
  tokens: number;
  /** An attempt that had failed anyway found a budget spent. */
  isBudgetSpent: boolean;
  isCostWarned: boolean;
  readonly quotas: Map<string, Range>;
  readonly quotaFiles: Map<string, number>;
  readonly breakers: Map<string, BreakerState>;
};

/** The end of an attempt, or of all attempts on a target. */
export type End =
  | { readonly answer: true }
  | { readonly answer: false; readonly failure: FailureFacts; readonly output: Output; readonly messages: number };

/** The beginning of a run; it never changes the client. */
export function startWalk(client: ModelClient, call: ModelCall, now: number): Walk {
  return {
    client,
    call,
    startedAt: now,
    events: [],
    elapsedMs: exactly(0),
    attempts: 0,
    asked: new Map(),
    processes: new Map(),
    session: call.request.session,
    usd: 0,
    tokens: 0,
    isBudgetSpent: false,
    isCostWarned: false,
    quotas: new Map(client.memory.quotas),
    quotaFiles: new Map(client.quotaFiles),
    breakers: new Map(client.memory.breakers),
  };
}

/** The current time of the run. */
export function timeOf(walk: Walk): Range {
  return plus(exactly(walk.startedAt), walk.elapsedMs);
}

/** A failure without visible output. */
export function failWith(failure: FailureFacts): End {
  return { answer: false, failure, output: "nothing", messages: 0 };
}

/** The behaviour of the next attempt on this provider. */
export function nextBehaviour(walk: Walk, provider: string): Behaviour {
  const asked = walk.asked.get(provider) ?? 0;
  walk.asked.set(provider, asked + 1);
  const script = walk.call.script[provider] ?? [];
  return script[asked] ?? script.at(-1) ?? { end: "answer", output: "text" };
}
