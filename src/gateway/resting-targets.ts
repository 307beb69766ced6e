import { statSync } from "node:fs";
import type { Client } from "../client.ts";
import { statedWaitMs } from "../doors/retry-after.ts";
import { loginFiles } from "../launch/find-cli.ts";
import type { SpentQuota } from "../spec/client-options.ts";
import { createFailure, type Failure } from "../spec/failure/failure.ts";
import type { Surroundings } from "../spec/provider/provider-facts.ts";
import type { Target, Targets } from "../spec/request.ts";
import type { AttemptGate } from "../spec/stream.ts";
import { gatewayDraining } from "./refusal.ts";

/** The rest without a stated wait, doubled while the target goes on failing. */
const FIRST_REST_MS = 5000;
const LONGEST_REST_MS = 60_000;
/** The rest after a failed login, unless its files change before. */
const LOGIN_REST_MS = 30_000;
/** Clients name the models, so the number of targets that are remembered has a bound. */
const MOST_RESTS = 256;

type Rest = {
  readonly target: Target;
  readonly until: number;
  /** The rest without a stated wait; the next report doubles it. */
  readonly unstatedMs: number;
  readonly notedAt: number;
  readonly failure: Failure;
  /** The request that was told first; it alone may repeat its attempt. */
  readonly by: object;
  readonly login?: string;
  /** True once the quota memory of the client had the failure. */
  isSpentQuota: boolean;
};

type Asked = { readonly by: object; readonly enteredAt: number };

/**
 * The targets that have just reported a limit or a missing login. No request asks them again before their wait is over, because clients
 * that ignore `x-should-retry` would multiply the retries of Coxswain.
 */
export class RestingTargets {
  private readonly client: Pick<Client, "providers" | "spentQuotas">;
  private readonly env: Surroundings;
  readonly now: () => number;
  private readonly rests = new Map<string, Rest>();

  constructor(client: Pick<Client, "providers" | "spentQuotas">, env: Surroundings, now: () => number = () => performance.now()) {
    this.client = client;
    this.env = env;
    this.now = now;
  }

  /** The targets that may be asked; a failure if all of them rest. */
  withoutResting(targets: Targets): Targets | Failure {
    const [first, ...others] = targets.filter((target) => this.restOf(target) === undefined);
    if (first !== undefined) return [first, ...others];
    const [soonest] = targets.flatMap((target) => this.restOf(target) ?? []).toSorted((one, other) => one.until - other.until);
    return soonest === undefined ? targets : this.toFailure(soonest);
  }

  refusalOf(target: Target, by: object): Failure | undefined {
    const rest = this.restOf(target);
    return rest === undefined || rest.by === by ? undefined : this.toFailure(rest);
  }

  note(target: Target, failure: Failure | undefined, asked: Asked): void {
    const category = failure?.category;
    const before = this.rests.get(keyOf(target));
    const isLate = before !== undefined && before.notedAt > asked.enteredAt;
    if (failure === undefined && !isLate) this.rests.delete(keyOf(target));
    if (failure === undefined || (category !== "rate_limit" && category !== "quota" && category !== "authentication")) return;
    // Attempts that were under way at a report, and repetitions of the request that got it, are part of the same report.
    const isSame = before !== undefined && (isLate || before.by === asked.by);
    const now = this.now();
    const unstatedMs = isSame ? before.unstatedMs : nextRest(before, now);
    const restMs = category === "authentication" ? LOGIN_REST_MS : (statedWaitMs(failure, Date.now()) ?? unstatedMs);
    this.remember({
      target,
      until: isSame ? Math.max(before.until, now + restMs) : now + restMs,
      unstatedMs,
      notedAt: isLate ? before.notedAt : now,
      failure,
      by: isSame ? before.by : asked.by,
      ...(category === "authentication" && { login: this.loginOf(target) }),
      isSpentQuota: false,
    });
  }

  private toFailure({ until, failure, login, target }: Rest): Failure {
    const { label = target.provider } = this.client.providers.find(({ id }) => id === target.provider) ?? {};
    const { message, hint } = failure;
    return createFailure("cooling-down", `${label} failed a moment ago, so the gateway does not ask it yet: ${message}`, {
      retryAfterMs: Math.max(1, Math.ceil(until - this.now())),
      hint,
      // A client that repeats the request by itself would wait for a login that a person must make.
      shouldRetry: login === undefined,
    });
  }

  private remember(rest: Rest): void {
    for (const [key, other] of this.rests) if (isForgotten(other, this.now())) this.rests.delete(key);
    this.rests.delete(keyOf(rest.target));
    const [oldest] = this.rests.keys();
    if (this.rests.size >= MOST_RESTS && oldest !== undefined) this.rests.delete(oldest);
    this.rests.set(keyOf(rest.target), rest);
  }

  private restOf(target: Target): Rest | undefined {
    const rest = this.rests.get(keyOf(target));
    if (rest === undefined || rest.until <= this.now()) return undefined;
    if (rest.failure.category === "quota" && this.isLeftToClient(rest)) return undefined;
    return rest.login !== undefined && rest.login !== this.loginOf(target) ? undefined : rest;
  }

  /** The quota memory of the client refuses a target whose quota is used up, until the user clears it. */
  private isLeftToClient(rest: Rest): boolean {
    rest.isSpentQuota ||= this.client.spentQuotas().some((spent) => isAbout(spent, rest.target));
    return rest.isSpentQuota;
  }

  private loginOf({ provider: id, profile }: Target): string {
    const provider = this.client.providers.find((one) => one.id === id);
    return (provider === undefined ? [] : loginFiles(provider, this.env, profile)).map(stateOf).join(" ");
  }
}

function keyOf({ provider, model = "", profile = "" }: Target): string {
  return JSON.stringify([provider, model, profile]);
}

/** A rest that ended a minute ago counts as forgotten: the next report begins with the first rest again. */
function isForgotten({ until }: Rest, now: number): boolean {
  return until + LONGEST_REST_MS < now;
}

function nextRest(before: Rest | undefined, now: number): number {
  if (before === undefined || isForgotten(before, now)) return FIRST_REST_MS;
  return Math.min(LONGEST_REST_MS, before.unstatedMs * 2);
}

function isAbout({ provider, model }: SpentQuota, target: Target): boolean {
  return provider === target.provider && (model === undefined || model === target.model);
}

function stateOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? "none" : `${stats.mtimeMs} ${stats.size} ${stats.ino}`;
}

/** Decides about the attempts of one request: a resting target is not asked, and a gateway that drains begins no other answer. */
export class RequestGate implements AttemptGate {
  private readonly resting: RestingTargets;
  private readonly draining: AbortSignal | undefined;
  private refusal: Failure | undefined;
  private enteredAt: number | undefined;

  constructor(resting: RestingTargets, draining: AbortSignal | undefined) {
    this.resting = resting;
    this.draining = draining;
  }

  /** If no attempt was let through, the failure is the gateway's own reason: it drains, or the target rests. */
  told(failure: Failure): Failure {
    if (this.enteredAt !== undefined) return failure;
    if (failure.category === "cancelled" && this.isTurnedAway) return gatewayDraining();
    return failure.code === "cooling-down" ? (this.refusal ?? failure) : failure;
  }

  /** True if the gateway began to drain before a CLI was asked. */
  get isTurnedAway(): boolean {
    return this.enteredAt === undefined && this.draining?.aborted === true;
  }

  enter(target: Target): Failure | undefined {
    if (this.isTurnedAway) return createFailure("interrupted", "The gateway is closing.");
    this.refusal = this.resting.refusalOf(target, this);
    if (this.refusal !== undefined) return this.refusal;
    this.enteredAt = this.resting.now();
    return undefined;
  }

  leave(target: Target, failure: Failure | undefined): void {
    this.resting.note(target, failure, { by: this, enteredAt: this.enteredAt ?? 0 });
  }
}
