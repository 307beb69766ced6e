import { redactFailure } from "../failures/redact.ts";
import { secretsOf } from "../failures/secrets.ts";
import { locate } from "../launch/find-cli.ts";
import type { FoundBinary } from "../process/child/find-program.ts";
import { stripTerminalCodes } from "../process/child/strip-terminal-codes.ts";
import { directoryProblem } from "../request/validate-request.ts";
import type { RunHost } from "../run/open-run.ts";
import { createFailure, type Failure, toSeconds } from "../spec/failure/failure.ts";
import type { EnvironmentOptions, EnvironmentReport, HealthWarning } from "../spec/health.ts";
import { defined } from "../spec/json.ts";
import { describeRange, placeVersion } from "../spec/provider/cli-data.ts";
import type { Provider } from "../spec/provider/provider.ts";
import { fixBy } from "../spec/provider/provider-facts.ts";
import type { Target } from "../spec/request.ts";
import type { ProgramOutput, VersionAsker } from "./ask-program.ts";
import { checkRequirements } from "./check-requirements.ts";
import { readVersion, versionOfOwn, wrongProgram } from "./probe-version.ts";

const TIMEOUT_MS = 10_000;

export function timeoutOf({ timeoutMs }: EnvironmentOptions): number {
  return timeoutMs ?? TIMEOUT_MS;
}

export type HealthHost = RunHost & { readonly askVersion: VersionAsker };

export type Check<Options extends EnvironmentOptions = EnvironmentOptions> = {
  readonly host: HealthHost;
  readonly provider: Provider;
  readonly target: Target;
  readonly options: Options;
};

/** Checks whether a CLI can be started: program, requirements, version, directory. Starts it only to ask its version. */
export async function validateEnvironment(check: Check): Promise<EnvironmentReport> {
  const { provider, options } = check;
  const { env } = check.host;
  const { id, label, origin } = provider;
  const secrets = secretsOf(provider, {}, env);
  const found = locate(provider, env);
  const command = "command" in found ? found.command : undefined;
  const version = "command" in found ? await checkVersion(check, found) : NOTHING;
  const failures = [
    ...("command" in found ? [] : [found]),
    ...version.failures,
    ...checkRequirements({ who: label, requires: provider.requires }, command, env),
    ...checkRequirements({ who: "The agent", requires: options.requires }, command, env),
    ...checkDirectory(options.cwd),
  ];
  return defined({
    provider: id,
    label,
    usable: failures.length === 0,
    command,
    version: version.version,
    failures: failures.map((failure) => redactFailure(failure, secrets())),
    warnings: version.warnings,
    origin,
  });
}

type VersionReport = {
  readonly version?: string;
  readonly failures: readonly Failure[];
  readonly warnings: readonly HealthWarning[];
};

const NOTHING: VersionReport = { failures: [], warnings: [] };

async function checkVersion({ host, provider, target, options }: Check, found: FoundBinary): Promise<VersionReport> {
  const own = versionOfOwn(provider);
  if (own !== undefined) return { ...NOTHING, version: own };
  const timeoutMs = timeoutOf(options);
  const output = await host.askVersion(provider, found, { target, timeoutMs });
  if (!("stdout" in output)) return { ...NOTHING, failures: [output] };
  const printed = stripTerminalCodes(output.stdout).trim();
  const failure = wrongProgram(host.providers, provider, found, printed) ?? failedVersion(provider, found, output, timeoutMs);
  if (failure !== undefined) return { ...NOTHING, failures: [failure] };
  const version = readVersion(printed);
  host.versions.note(provider, found, version);
  const warning = judgeVersion(provider, version);
  return defined({ version, failures: [], warnings: warning === undefined ? [] : [warning] });
}

function failedVersion(
  provider: Provider,
  { command }: FoundBinary,
  { exitCode, signal, hasTimedOut, stderr }: ProgramOutput,
  timeoutMs: number,
): Failure | undefined {
  if (!hasTimedOut && exitCode === 0) return undefined;
  const { label } = provider;
  const evidence = { evidence: defined({ exitCode, stderrTail: stderr || undefined }) };
  if (hasTimedOut) {
    const details = { hint: `Run ${command} --version in a terminal to see why it does not finish.`, ...evidence };
    return createFailure("total-timeout", `${label} did not print its version within ${toSeconds(timeoutMs)}.`, details);
  }
  const lastLine = stripTerminalCodes(stderr).trim().split("\n").at(-1) ?? "";
  const how = signal === undefined ? `ended with exit code ${exitCode}` : `was ended by ${signal}`;
  return createFailure(
    "cli-misconfigured",
    `${label} did not print its version: ${command} ${how}${lastLine && `: ${lastLine}`}`,
    {
      hint: "Run it in a terminal to see the reason, or reinstall it.",
      ...fixBy(provider, provider.install),
      ...evidence,
    },
  );
}

function judgeVersion(provider: Provider, version: string | undefined): HealthWarning | undefined {
  const { label, versionsChecked: checked } = provider;
  if (checked === undefined) return undefined;
  const range = describeRange(checked);
  if (version === undefined) {
    return { code: "version-unknown", message: `${label} did not print its version.`, hint: `Checked with ${range}.` };
  }
  const place = placeVersion(version, checked);
  if (place === "checked") return undefined;
  const isNewer = place === "newer";
  return {
    code: isNewer ? "cli-newer" : "cli-older",
    message: `${label} ${version} is ${place} than the checked versions (${range}).`,
    hint: isNewer
      ? "It will probably work. If not, update Coxswain or install a checked version."
      : "It may lack options that Coxswain passes. Update it.",
    ...(/^npm install -g \S+$/.test(provider.install) && fixBy(provider, `${provider.install}@${checked.newest}`)),
  };
}

function checkDirectory(cwd: string | undefined): readonly Failure[] {
  const problem = cwd === undefined ? undefined : directoryProblem(cwd);
  return problem === undefined ? [] : [createFailure("cwd-unusable", `The directory ${cwd} ${problem}.`)];
}
