import { createHash } from "node:crypto";
import { resolve } from "node:path";
import type { ResolvedTarget } from "../request/targets.ts";
import { failedEnd, type Policy } from "../run/part.ts";
import type { CooldownOptions, SpentQuota } from "../spec/client-options.ts";
import { createFailure, type Failure, toSeconds } from "../spec/failure/failure.ts";
import type { FailureCategory } from "../spec/failure/failure-codes.ts";
import { readVariable } from "../spec/provider/cli-data.ts";
import type { Provider } from "../spec/provider/provider.ts";
import type { RunRequest } from "../spec/request.ts";
import { isAboutModel, keyOf, namesFamily, type QuotaMemory, type QuotaOwner } from "./quota-memory.ts";

export type CooldownHost = {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
};

/** Skips providers whose quota is used up or whose service is down, and remembers both. */
export function cooldown(host: CooldownHost, memory: QuotaMemory, options: CooldownOptions = {}): Policy {
  const accounts = new Map<string, Account>();
  return (next) => async (targets, request, context) => {
    const [{ target, provider }] = targets;
    const owner = accountOf(host.env, targets[0], request);
    const key = keyOf(owner);
    const account = accounts.get(key) ?? new Account(host, memory, owner, provider, options);
    accounts.set(key, account);
    const visit = account.enter(target.model);
    if ("failure" in visit) return failedEnd(visit.failure);
    const end = await next(targets, request, context);
    account.leave(end.failure, visit);
    return end;
  };
}

const WORSE: ReadonlySet<FailureCategory> = new Set(["server", "network"]);

/** A run that was let through. */
type Visit = { readonly model: string | undefined; readonly isProbe: boolean; readonly since: number };

class Account {
  private readonly host: CooldownHost;
  private readonly memory: QuotaMemory;
  private readonly owner: QuotaOwner;
  private readonly provider: Provider;
  private readonly options: CooldownOptions;
  private readonly breaker: Breaker;
  /** True once this client has stored a quota of this account. */
  private hasStored = false;

  constructor(host: CooldownHost, memory: QuotaMemory, owner: QuotaOwner, provider: Provider, options: CooldownOptions) {
    this.host = host;
    this.memory = memory;
    this.owner = owner;
    this.provider = provider;
    this.options = options;
    this.breaker = new Breaker(options);
  }

  enter(model: string | undefined): Visit | { readonly failure: Failure } {
    const now = this.host.now();
    const spent = this.spentQuotas(model, now).toSorted((one, other) => timeOf(other) - timeOf(one))[0];
    if (spent !== undefined) return { failure: this.toQuotaFailure(spent, now) };
    const answer = this.breaker.enter(now);
    return answer.goes ? { model, isProbe: answer.isProbe, since: now } : { failure: this.toRestFailure(answer.restMs) };
  }

  /** A good answer clears a stored quota only if it was stored before the run began. */
  leave(failure: Failure | undefined, { model, isProbe, since }: Visit): void {
    const now = this.host.now();
    this.breaker.leave(outcomeOf(failure), isProbe, now);
    if (failure?.category === "quota") this.rememberQuota(failure, model, now);
    // An earlier quota of another process has refused the run, so the file is read only if this client may have written it.
    if (failure !== undefined || !this.hasStored) return;
    for (const spent of this.spentQuotas(model, now)) if (Date.parse(spent.seenAt) <= since) this.memory.forget(spent);
  }

  private spentQuotas(model: string | undefined, now: number): readonly SpentQuota[] {
    const owners = model === undefined ? [this.owner] : [this.owner, { ...this.owner, model }];
    return owners.flatMap((owner) => this.memory.find(owner, now) ?? []);
  }

  /** Some limits apply to one model (claude's weekly ones, gemini's daily ones); the message then names it. */
  private rememberQuota({ resetAt, message }: Failure, model: string | undefined, now: number): void {
    const { quotaMs = 300_000 } = this.options;
    this.hasStored = true;
    const { modelWords } = this.provider;
    const ofModel = model !== undefined && isAboutModel(message, model, modelWords) && { model };
    const about = { ...this.owner, ...ofModel, seenAt: new Date(now).toISOString(), message };
    // Without a requested model the CLI chose it, so it is unknown which runs the limit of a model family applies to.
    const isKnown = model !== undefined || !namesFamily(message, modelWords);
    if (resetAt === undefined || !isKnown) {
      this.memory.remember({ ...about, resetAt: new Date(now + quotaMs).toISOString(), isPresumed: true });
    } else if (Date.parse(resetAt) > now) this.memory.remember({ ...about, resetAt });
  }

  private toQuotaFailure({ resetAt, message, isPresumed }: SpentQuota, now: number): Failure {
    const { id, label } = this.provider;
    const retryAfterMs = Date.parse(resetAt) - now;
    if (isPresumed) {
      const words = `The quota of ${label} was used up a moment ago, so Coxswain does not use it yet: ${message}`;
      // The limit may be one that does not reset; the message says what it is.
      const hint = `Do what the message says, or use another provider. Coxswain asks this one again in ${toSeconds(retryAfterMs)}.`;
      return createFailure("quota-exhausted", words, { retryAfterMs, hint });
    }
    return createFailure("quota-exhausted", `The quota of ${label} is used up until ${resetAt}: ${message}`, {
      resetAt,
      retryAfterMs,
      hint: "Wait until then or use another provider. If the quota is available again, clear this entry.",
      fixCommand: `cox quota clear ${id}`,
    });
  }

  private toRestFailure(restMs: number): Failure {
    const message = `${this.provider.label} failed several times in a row. Coxswain does not use it for ${toSeconds(restMs)}.`;
    return createFailure("cooling-down", message, { retryAfterMs: restMs });
  }
}

function timeOf({ resetAt }: SpentQuota): number {
  return Date.parse(resetAt);
}

function outcomeOf(failure: Failure | undefined): BreakerOutcome {
  if (failure === undefined) return "answered";
  // The gate of a run has refused it, so the service was not asked.
  if (failure.code === "cooling-down") return "neither";
  return WORSE.has(failure.category) ? "failed" : "neither";
}

/** Variables of a request that select another account or another service. */
const CHOOSES_ACCOUNT = /_(?:API_KEY|AUTH_TOKEN|OAUTH_TOKEN|BASE_URL)$/;

/** The account whose quota a run uses: by the login and the keys in the environment of its process. */
export function accountOf(
  inherited: Readonly<Record<string, string | undefined>>,
  { target, provider }: ResolvedTarget,
  { auth, env = {} }: RunRequest,
): QuotaOwner {
  const { profile: variable, apiKeys = [] } = provider.env;
  const profile =
    variable === undefined ? undefined : (readVariable(env, variable) ?? target.profile ?? readVariable(inherited, variable));
  const keys =
    auth === "subscription" ? [] : apiKeys.flatMap((name) => readVariable(env, name) ?? readVariable(inherited, name) ?? []);
  const chosen = Object.keys(env).filter((name) => CHOOSES_ACCOUNT.test(name) && !apiKeys.includes(name));
  const choices = [...keys, ...chosen.toSorted().map((name) => `${name}=${env[name]}`)].filter((choice) => choice !== "");
  return {
    provider: provider.id,
    ...(profile && { profile: resolve(profile) }),
    ...(choices.length > 0 && { account: toToken(choices) }),
  };
}

/** A hash that reveals nothing about the keys. */
function toToken(choices: readonly string[]): string {
  return createHash("sha256")
    .update(JSON.stringify(["coxswain account", ...choices]))
    .digest("hex")
    .slice(0, 12);
}

/** The end of a run as a circuit breaker counts it. */
type BreakerOutcome = "answered" | "failed" | "neither";

/** Whether a run may start, and if so whether it is the probe; otherwise how long the provider still rests. */
type BreakerAnswer = { readonly goes: true; readonly isProbe: boolean } | { readonly goes: false; readonly restMs: number };

/** A circuit breaker: a provider that fails several times in a row rests, and then one probe at a time tests it. */
export class Breaker {
  private readonly options: CooldownOptions;
  private failures = 0;
  private rests = 0;
  private restsUntil: number | undefined;
  private lastRestMs = 0;
  private isProbing = false;

  constructor(options: CooldownOptions) {
    this.options = options;
  }

  /** Asks whether a run may start; a run that starts must end with `leave`. */
  enter(now: number): BreakerAnswer {
    if (this.restsUntil === undefined) return { goes: true, isProbe: false };
    // Setting the system clock back does not prolong a rest.
    this.restsUntil = Math.min(this.restsUntil, now + this.lastRestMs);
    if (now < this.restsUntil) return { goes: false, restMs: Math.ceil(this.restsUntil - now) };
    if (this.isProbing) return { goes: false, restMs: this.lastRestMs };
    this.isProbing = true;
    return { goes: true, isProbe: true };
  }

  leave(outcome: BreakerOutcome, isProbe: boolean, now: number): void {
    if (isProbe) this.isProbing = false;
    if (outcome === "answered") return this.reset();
    if (outcome === "neither") return;
    this.failures += 1;
    const { failures = 5 } = this.options;
    if (isProbe || (this.restsUntil === undefined && this.failures >= failures)) this.rest(now);
  }

  private rest(now: number): void {
    const { restMs = 30_000, longestRestMs = 300_000 } = this.options;
    this.lastRestMs = Math.min(longestRestMs, restMs * 2 ** this.rests);
    this.restsUntil = now + this.lastRestMs;
    this.rests += 1;
  }

  private reset(): void {
    this.failures = 0;
    this.rests = 0;
    this.restsUntil = undefined;
  }
}
