import { requireLate } from "../process/own-program.ts";
import { createFailure } from "../spec/create-failure.ts";
import type { Failure } from "../spec/failure.ts";
import type { LaunchPlan, PlannedProcess } from "../spec/launch-plan.ts";
import type { PromptRequest, RunRequest, Target } from "../spec/request.ts";
import type { RunContext } from "../spec/stream.ts";
import type { Ajv } from "../tools/compile-schema.ts";
import { chooseToolWay, refuseWay, type ToolWay } from "../tools/native-tools.ts";
import { findProblemWith } from "../tools/schema-mistakes.ts";
import { toWayRequest } from "../tools/to-prompt.ts";
import { withPlannedBridge } from "./bridge-server.ts";
import { checkAdministrator } from "./check-administrator.ts";
import { withoutIgnored } from "./check-support.ts";
import { findInstalled, type InstalledCli } from "./installed-cli.ts";
import { withoutKept } from "./missing-guardian.ts";
import { planLaunch } from "./plan-launch.ts";
import { planProcess } from "./plan-process.ts";
import { inRealDirectory } from "./real-directory.ts";
import { type ResolvedTarget, unknownProvider } from "./resolve-target.ts";
import type { RunHost } from "./run-host.ts";
import { redactPlan, secretsOf } from "./run-secrets.ts";
import { settleCli } from "./settle-cli.ts";
import { validateConversation } from "./validate-conversation.ts";
import { validateRequest } from "./validate-request.ts";

/** The launch plan of a run's first attempt without secrets, or the failure that would prevent the launch; starts nothing. */
export function planFirstAttempt(
  host: RunHost,
  { target, provider: known }: ResolvedTarget,
  given: RunRequest,
  { onPermission, callTool, keepsProcess = false }: RunContext,
): PlannedProcess | Failure {
  if (known === undefined) return unknownProvider(host, target.provider);
  const invalid = validateConversation(given);
  if (invalid !== undefined) return invalid;
  const unusable = schemaProblem(given);
  if (unusable !== undefined) return createFailure("schema-unreadable", unusable);
  const cli = findInstalled(host, known);
  const way = toolWayOf(host, cli, target, given, callTool);
  const refused = refuseWay(given, way);
  if (refused !== undefined) return refused;
  const asked = toWayRequest(given, cli.provider, way);
  const isBridged = "tools" in way && way.rules.bridgeName !== undefined;
  const { request } = withoutIgnored(cli.provider, inRealDirectory(isBridged ? withPlannedBridge(asked) : asked));
  const answersPermissions = onPermission !== undefined;
  const settled = settleCli(cli, target, request, host.env);
  if (!("cli" in settled)) return settled;
  const { env, secrets = [] } = settled;
  const here = { ...withoutKept(host), env };
  const spawned = planInstalled(here, settled.cli, target, request, answersPermissions);
  if (!("command" in spawned)) return spawned;
  const plan = planProcess(here, { cli: settled.cli, target, request, answersPermissions, keepsProcess }, spawned);
  if (!("command" in plan)) return plan;
  const inherited = secretsOf(cli.provider, request, env);
  return redactPlan(plan, cli.provider, () => [...inherited(), ...secrets]);
}

/** A plan cannot wait for the module with the compiler of schemas, as a run does. */
function schemaProblem(request: RunRequest): string | undefined {
  const { tools = [], outputSchema } = request;
  if (outputSchema === undefined && tools.every(({ parameters }) => parameters === undefined)) return undefined;
  const ajv = loadAjv();
  return ajv && findProblemWith(ajv, request);
}

/** Undefined in a bundle that has no packages beside it (docs/bundling.md). */
function loadAjv(): Ajv | undefined {
  try {
    return (requireLate("ajv/dist/2020.js") as { readonly Ajv2020: Ajv }).Ajv2020;
  } catch {
    return undefined;
  }
}

/** The way of the host tools of a request with the installed version of the CLI. */
export function toolWayOf(
  host: RunHost,
  { provider }: InstalledCli,
  target: Target,
  request: RunRequest,
  callTool: RunContext["callTool"],
): ToolWay {
  const runner = callTool === undefined ? "caller" : "function";
  const canPark = host.parked?.keeps("results") === true;
  return chooseToolWay({ provider, target }, request, { runner, canPark, env: host.env });
}

/** The launch plan for an installed CLI, or the failure that prevents the launch. */
export function planInstalled(
  host: RunHost,
  cli: InstalledCli,
  target: Target,
  request: PromptRequest,
  answersPermissions: boolean,
): LaunchPlan | Failure {
  const { provider, found } = cli;
  const { env } = host;
  const invalid = validateRequest(provider, target, request, env);
  if (invalid !== undefined) return invalid;
  if (!("command" in found)) return found;
  const unkept = checkAdministrator(cli, { target, request, env });
  if (unkept !== undefined) return unkept;
  return planLaunch(provider, target, request, { ...found, answersPermissions, env });
}
