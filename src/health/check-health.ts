import { planFirstAttempt } from "../ask/plan.ts";
import { locate } from "../launch/find-cli.ts";
import type { ResolvedTarget } from "../request/targets.ts";
import type { RunHost } from "../run/open-run.ts";
import type { Failure } from "../spec/failure/failure.ts";
import { createFailure } from "../spec/failure/failure.ts";
import { RunError } from "../spec/failure/run-error.ts";
import type { DeepReport, HealthOptions, HealthReport, HealthWarning, LoginReport } from "../spec/health.ts";
import { defined } from "../spec/json.ts";
import type { Provider } from "../spec/provider/provider.ts";
import type { RunRequest, Target } from "../spec/request.ts";
import type { RunStream } from "../spec/stream.ts";
import { checkLogin, endedLoginWarning, LOGIN_UNKNOWN, loggedOutFailure, strayKeyWarning } from "./check-login.ts";
import { type Check, validateEnvironment } from "./validate-environment.ts";

/** Starts a run without policies. */
export type Ask = (target: Target, request: RunRequest) => RunStream;

const DEEP_TIMEOUT_MS = 60_000;
const TINY_PROMPT = "Answer with the one word: ready";

/** Checks one CLI: program, version, login, and with `deep` a tiny request. Limited in time; never throws. */
export async function checkHealth(check: Check<HealthOptions>, ask: Ask): Promise<HealthReport> {
  const { host, provider, target, options } = check;
  const startedAt = performance.now();
  const found = locate(provider, host.env);
  const [environment, login] = await Promise.all([
    validateEnvironment(check),
    "command" in found ? checkLogin(check, found) : LOGIN_UNKNOWN,
  ]);
  // The login report of a wrong or broken program is ignored.
  const reported = environment.usable ? login : LOGIN_UNKNOWN;
  const refusal = environment.usable ? refusalOf(host, { target, provider }) : undefined;
  const needsModel = refusal?.code === "model-unknown" && target.model === undefined;
  const loggedOut = reported.state === "logged-out" ? loggedOutFailure(provider) : undefined;
  const hindrance = needsModel || refusal === undefined ? loggedOut : withFix(refusal, provider);
  const isAsked = options.deep === true && environment.usable && hindrance === undefined && !needsModel;
  const deep = isAsked ? await askForAnswer(ask, target, options) : undefined;
  const failures = [...environment.failures, hindrance, deep?.failure].filter((failure) => failure !== undefined);
  // A CLI that uses an ended login does not use the key, whatever the environment has.
  const aboutLogin = (environment.usable ? endedLoginWarning(check) : undefined) ?? strayKeyWarning(provider, reported);
  const warnings = [...environment.warnings, aboutLogin, needsModel ? modelWarning(refusal) : undefined];
  return {
    ...environment,
    usable: failures.length === 0,
    login: toLogin(reported, hindrance, deep?.report),
    failures,
    warnings: warnings.filter((warning) => warning !== undefined),
    ...(deep !== undefined && { deep: deep.report }),
    durationMs: Math.round(performance.now() - startedAt),
  };
}

/** The failure with which even the simplest request would be refused before a CLI is started. */
function refusalOf(host: RunHost, asked: ResolvedTarget): Failure | undefined {
  const plan = planFirstAttempt(host, asked, { prompt: TINY_PROMPT }, {});
  return "command" in plan ? undefined : plan;
}

function withFix(refusal: Failure, provider: Provider): Failure {
  return refusal.code === "not-logged-in" ? { ...loggedOutFailure(provider), ...refusal } : refusal;
}

function modelWarning({ message, hint, fixCommand, fixFrom }: Failure): HealthWarning {
  return defined({ code: "model-needed" as const, message, hint, fixCommand, fixFrom });
}

/** A `not-logged-in` failure and a real answer take precedence over the login that was found. */
function toLogin(login: LoginReport, hindrance: Failure | undefined, deep: DeepReport | undefined): LoginReport {
  if (hindrance?.code === "not-logged-in") return { ...login, state: "logged-out" };
  return login.state === "unknown" && deep?.answered === true ? { ...login, state: "logged-in" } : login;
}

async function askForAnswer(
  ask: Ask,
  target: Target,
  { deepTimeoutMs = DEEP_TIMEOUT_MS }: HealthOptions,
): Promise<{ readonly report: DeepReport; readonly failure?: Failure }> {
  const startedAt = performance.now();
  const timeouts = { totalMs: deepTimeoutMs, idleMs: deepTimeoutMs };
  const durationMs = (): number => Math.round(performance.now() - startedAt);
  try {
    const { text, usage } = await ask(target, { prompt: TINY_PROMPT, timeouts }).result();
    return { report: defined({ answered: true, text: text.slice(0, 200), durationMs: durationMs(), usage }) };
  } catch (error) {
    const failure = RunError.is(error) ? error.failure : createFailure("unclassified", String(error));
    return { report: { answered: false, text: "", durationMs: durationMs() }, failure };
  }
}
