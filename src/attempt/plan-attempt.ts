import { redactPlan, secretsOf } from "../failures/run-secrets.ts";
import { requireLate } from "../files/own-program.ts";
import { chooseToolWay, refuseWay, type ToolWay } from "../host-tools/native-tools.ts";
import { findInstalled, type InstalledCli } from "../launch/installed-cli.ts";
import { planLaunch } from "../launch/plan-launch.ts";
import { settleCli } from "../launch/settle-cli.ts";
import { toWayRequest } from "../prompts/to-prompt.ts";
import { withoutIgnored } from "../request/check-support.ts";
import { type ResolvedTarget, unknownProvider } from "../request/resolve-target.ts";
import { validateConversation } from "../request/validate-conversation.ts";
import { validateRequest } from "../request/validate-request.ts";
import type { RunHost } from "../run/run-host.ts";
import type { Ajv } from "../schemas/compile-schema.ts";
import { findProblemWith } from "../schemas/schema-mistakes.ts";
import { createFailure } from "../spec/failure/create-failure.ts";
import type { Failure } from "../spec/failure/failure.ts";
import type { LaunchPlan, PlannedProcess } from "../spec/provider/launch-plan.ts";
import type { PromptRequest, RunRequest, Target } from "../spec/request.ts";
import type { RunContext } from "../spec/stream.ts";
import { withPlannedBridge } from "./bridged/bridge-server.ts";
import { withoutKept } from "./missing-guardian.ts";
import { planProcess } from "./plan-process.ts";

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
  const { request } = withoutIgnored(cli.provider, isBridged ? withPlannedBridge(asked) : asked);
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
  { provider, found }: InstalledCli,
  target: Target,
  request: PromptRequest,
  answersPermissions: boolean,
): LaunchPlan | Failure {
  const invalid = validateRequest(provider, target, request, host.env);
  if (invalid !== undefined) return invalid;
  if (!("command" in found)) return found;
  return planLaunch(provider, target, request, { ...found, answersPermissions, env: host.env });
}
