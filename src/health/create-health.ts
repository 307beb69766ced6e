import { findProvider, unknownProvider } from "../request/resolve-target.ts";
import type { RunHost } from "../run/run-host.ts";
import { createFailure } from "../spec/failure/create-failure.ts";
import type { Failure } from "../spec/failure/failure.ts";
import { thrownMessage } from "../spec/failure/thrown.ts";
import type { EnvironmentOptions, EnvironmentReport, HealthOptions, HealthReport, ModelReport } from "../spec/health.ts";
import type { Target } from "../spec/request.ts";
import type { Fields } from "../spec/request-fields.ts";
import { checkNames } from "../spec/text/check-names.ts";
import { type Ask, checkHealth } from "./check-health.ts";
import { LOGIN_UNKNOWN } from "./check-login.ts";
import { checkRequirementTypes } from "./check-requirements.ts";
import { createVersionAsker } from "./create-version-asker.ts";
import { listModels } from "./list-models.ts";
import { type HealthHost, validateEnvironment } from "./validate-environment.ts";

/** The two checks of a CLI and the list of its models; every error is in the report. */
export type Health = {
  validateEnvironment(target: Target, options: EnvironmentOptions): Promise<EnvironmentReport>;
  check(target: Target, options: HealthOptions): Promise<HealthReport>;
  listModels(target: Target, options: EnvironmentOptions): Promise<ModelReport>;
};

/** Binds the checks to the run host; `ask` makes the tiny request of a deep check. */
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
