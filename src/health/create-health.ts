import { redactFailure } from "../failures/redact.ts";
import { secretsOf } from "../failures/secrets.ts";
import { locate } from "../launch/find-cli.ts";
import { findProvider, unknownProvider } from "../request/targets.ts";
import type { RunHost } from "../run/open-run.ts";
import { createFailure, type Failure, thrownMessage, toSeconds } from "../spec/failure/failure.ts";
import { checkNames, type Fields } from "../spec/fields.ts";
import type { EnvironmentOptions, EnvironmentReport, HealthOptions, HealthReport, ModelReport } from "../spec/health.ts";
import type { Provider } from "../spec/provider/provider.ts";
import type { Target } from "../spec/request.ts";
import { askProgram } from "./ask-program.ts";
import { type Ask, checkHealth } from "./check-health.ts";
import { LOGIN_UNKNOWN } from "./check-login.ts";
import { checkRequirementTypes } from "./check-requirements.ts";
import { createVersionAsker } from "./create-version-asker.ts";
import { type Check, type HealthHost, validateEnvironment } from "./validate-environment.ts";

/** The two checks of a CLI and the list of its models; every error is in the report. */
type Health = {
  validateEnvironment(target: Target, options: EnvironmentOptions): Promise<EnvironmentReport>;
  check(target: Target, options: HealthOptions): Promise<HealthReport>;
  listModels(target: Target, options: EnvironmentOptions): Promise<ModelReport>;
};

/** `ask` makes the tiny request of a deep check. */
export function createHealth(runHost: RunHost, ask: Ask): Health {
  const host: HealthHost = { ...runHost, askVersion: createVersionAsker(runHost) };
  return {
    async validateEnvironment(target, options) {
      checkOptions("validateEnvironment", options, ENVIRONMENT);
      const provider = findProvider(host, target.provider);
      if (provider === undefined) return unusable(target, unknownProvider(host, target.provider));
      return validateEnvironment({ host, provider, target, options }).catch((error) => unusable(target, toFailure(error)));
    },
    async check(target, options) {
      checkOptions("check", options, HEALTH);
      const startedAt = performance.now();
      const provider = findProvider(host, target.provider);
      const broken = (failure: Failure): HealthReport => ({
        ...unusable(target, failure),
        login: LOGIN_UNKNOWN,
        durationMs: Math.round(performance.now() - startedAt),
      });
      if (provider === undefined) return broken(unknownProvider(host, target.provider));
      return checkHealth({ host, provider, target, options }, ask).catch((error) => broken(toFailure(error)));
    },
    async listModels(target, options) {
      checkOptions("listModels", options, ENVIRONMENT);
      const { provider: label } = target;
      const none = (failure: Failure): ModelReport => ({ provider: label, label, models: [], source: "built-in", failure });
      const provider = findProvider(host, label);
      if (provider === undefined) return none(unknownProvider(host, label));
      return listModels({ host, provider, target, options }).catch((error) => none(toFailure(error)));
    },
  };
}

const ENVIRONMENT: Fields<EnvironmentOptions> = { cwd: true, requires: true, timeoutMs: true };
const HEALTH: Fields<HealthOptions> = { ...ENVIRONMENT, deep: true, deepTimeoutMs: true };

function checkOptions(place: string, options: EnvironmentOptions, fields: Readonly<Record<string, true>>): void {
  checkNames(place, options, fields);
  checkRequirementTypes(options.requires);
}

function unusable({ provider }: Target, failure: Failure): EnvironmentReport {
  return { provider, label: provider, usable: false, failures: [failure], warnings: [] };
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
  const about = { provider: id, label, ...(defaultModel !== undefined && { defaultModel }) };
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
    evidence: { stderrTail: output.stderr, ...(exitCode !== undefined && { exitCode }) },
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
