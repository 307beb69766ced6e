import { redactFailure } from "../failures/redact.ts";
import { secretsOf } from "../failures/secrets.ts";
import { locate } from "../launch/find-cli.ts";
import { type ResolvedTarget, type ResolvedTargets, targetsOf } from "../request/targets.ts";
import type { RunHost } from "../run/open-run.ts";
import type { Failure } from "../spec/failure/failure.ts";
import { createFailure, thrownMessage, toSeconds } from "../spec/failure/failure.ts";
import type { Fields } from "../spec/fields.ts";
import { checkNames } from "../spec/fields.ts";
import type { EnvironmentOptions, EnvironmentReport, HealthOptions, HealthReport, ModelReport } from "../spec/health.ts";
import { defined } from "../spec/json.ts";
import type { Provider } from "../spec/provider/provider.ts";
import type { TargetChoice } from "../spec/request.ts";
import { askProgram, createVersionAsker } from "./ask-program.ts";
import { type Ask, checkHealth } from "./check-health.ts";
import { LOGIN_UNKNOWN } from "./check-login.ts";
import { checkRequirementTypes } from "./check-requirements.ts";
import { type Check, type HealthHost, validateEnvironment } from "./validate-environment.ts";

/** The two checks of a CLI and the list of its models; every error is in the report. */
type Health = {
  validateEnvironment(asked: Asked, options: EnvironmentOptions): Promise<EnvironmentReport>;
  check(asked: Asked, options: HealthOptions): Promise<HealthReport>;
  listModels(asked: Asked, options: EnvironmentOptions): Promise<ModelReport>;
};

/** What the caller named, and its targets. */
type Asked = { readonly choice: TargetChoice; readonly found: ResolvedTargets | Failure };

/** `ask` makes the tiny request of a deep check. */
export function createHealth(runHost: RunHost, ask: Ask): Health {
  const host: HealthHost = { ...runHost, askVersion: createVersionAsker(runHost) };
  const judge = <Options extends EnvironmentOptions, Report>(
    { found, options }: { readonly found: Asked["found"]; readonly options: Options },
    run: (check: Check<Options>) => Promise<Report>,
    broken: (failure: Failure) => Report,
  ): Promise<Report> | Report => {
    checkRequirementTypes(options.requires);
    const asked = oneOf(found);
    return "code" in asked ? broken(asked) : run({ host, ...asked, options }).catch((error) => broken(toFailure(error)));
  };
  return {
    async validateEnvironment({ choice, found }, options) {
      checkNames("validateEnvironment", options, ENVIRONMENT);
      return judge({ found, options }, validateEnvironment, (failure) => unusable(choice, failure));
    },
    async check({ choice, found }, options) {
      checkNames("check", options, HEALTH);
      const startedAt = performance.now();
      const broken = (failure: Failure): HealthReport => ({
        ...unusable(choice, failure),
        login: LOGIN_UNKNOWN,
        durationMs: Math.round(performance.now() - startedAt),
      });
      return judge({ found, options }, (check) => checkHealth(check, ask), broken);
    },
    async listModels({ choice, found }, options) {
      checkNames("listModels", options, ENVIRONMENT);
      const { provider, label } = unnamed(choice);
      const about = { provider, label, models: [], source: "built-in" } as const;
      return judge({ found, options }, listModels, (failure) => ({ ...about, failure }));
    },
  };
}

const ENVIRONMENT: Fields<EnvironmentOptions> = { cwd: true, requires: true, timeoutMs: true };
const HEALTH: Fields<HealthOptions> = { ...ENVIRONMENT, deep: true, deepTimeoutMs: true };

function oneOf(targets: ResolvedTargets | Failure): ResolvedTarget | Failure {
  if ("code" in targets) return targets;
  if (targets.length === 1) return targets[0];
  const names = targetsOf(targets).map(({ provider }) => provider);
  const hint = "Name one of them.";
  return createFailure("bad-request", `A check is of one CLI, and the name means several: ${names.join(", ")}.`, { hint });
}

function unusable(choice: TargetChoice, failure: Failure): EnvironmentReport {
  return { ...unnamed(choice), usable: false, failures: [failure], warnings: [] };
}

/** What a report calls a CLI that is not found. */
function unnamed(choice: TargetChoice): Pick<EnvironmentReport, "provider" | "label"> {
  const provider = typeof choice === "string" ? choice : choice.provider;
  return { provider, label: provider };
}

/** A provider from outside this package can throw anything. */
function toFailure(error: unknown): Failure {
  return createFailure("unclassified", `The check failed with an internal error: ${thrownMessage(error)}`);
}

/** The catalogue of codex 0.166.0 has 745 kB. */
const LONGEST_LIST = 8 * 1024 * 1024;
/** The first list of opencode 1.18.33 takes 6 s. */
const TIMEOUT_MS = 30_000;
const MODEL_NAME = /^[^\s\p{C}-][^\s\p{C}]{0,199}$/u;

/** The models of a CLI: its own list if it has one and prints it, otherwise those that Coxswain knows. Makes no model request. */
async function listModels(check: Check): Promise<ModelReport> {
  const { id, label, models, defaultModel } = check.provider;
  const about = defined({ provider: id, label, defaultModel });
  const listed = await askForModels(check);
  if (listed === undefined) return { ...about, models, source: "built-in" };
  return "code" in listed
    ? { ...about, models, source: "built-in", failure: listed }
    : { ...about, models: listed, source: "cli" };
}

async function askForModels({ host, provider, target, options }: Check): Promise<readonly string[] | Failure | undefined> {
  const { modelList, label } = provider;
  if (modelList === undefined) return undefined;
  const found = locate(provider, host.env);
  if (!("command" in found)) return found;
  const { timeoutMs = TIMEOUT_MS } = options;
  const output = await askProgram(provider, found, host, { args: modelList.args, timeoutMs, target, longest: LONGEST_LIST });
  if (!("stdout" in output)) return output;
  if (output.hasTimedOut)
    return createFailure("total-timeout", `${label} did not list its models within ${toSeconds(timeoutMs)}.`);
  const names = output.exitCode === 0 ? readNames(provider, output.stdout) : [];
  if (names.length > 0) return names;
  const { exitCode } = output;
  const failure = createFailure("unclassified", `${label} did not list its models.`, {
    hint: "Choose a known model, or see the documentation of the CLI.",
    evidence: defined({ stderrTail: output.stderr, exitCode }),
  });
  return redactFailure(failure, secretsOf(provider, {}, host.env)());
}

/** The list of another version may have any form. */
function readNames({ modelList }: Provider, stdout: string): readonly string[] {
  try {
    return [...new Set(modelList?.read(stdout) ?? [])].filter((name) => MODEL_NAME.test(name));
  } catch {
    return [];
  }
}
