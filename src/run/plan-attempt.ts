import type { Failure } from "../spec/failure.ts";
import type { LaunchPlan } from "../spec/launch-plan.ts";
import type { PromptRequest, RunRequest, Target } from "../spec/request.ts";
import type { RunContext } from "../spec/stream.ts";
import { chooseToolWay, refuseWay, type ToolWay } from "../tools/native-tools.ts";
import { toWayRequest } from "../tools/to-prompt.ts";
import { withPlannedBridge } from "./bridge-server.ts";
import { withoutIgnored } from "./check-support.ts";
import { findInstalled, type InstalledCli } from "./installed-cli.ts";
import { planLaunch } from "./plan-launch.ts";
import { type ResolvedTarget, unknownProvider } from "./resolve-target.ts";
import type { RunHost } from "./run-host.ts";
import { redactPlan, secretsOf } from "./run-secrets.ts";
import { validateConversation } from "./validate-conversation.ts";
import { validateRequest } from "./validate-request.ts";

/** The launch plan of a run's first attempt without secrets, or the failure that would prevent the launch; starts nothing. */
export function planFirstAttempt(
  host: RunHost,
  { target, provider: known }: ResolvedTarget,
  given: RunRequest,
  { onPermission, callTool }: RunContext,
): LaunchPlan | Failure {
  if (known === undefined) return unknownProvider(host, target.provider);
  const invalid = validateConversation(given);
  if (invalid !== undefined) return invalid;
  const cli = findInstalled(host, known);
  const way = toolWayOf(host, cli, target, given, callTool);
  const refused = refuseWay(given, way);
  if (refused !== undefined) return refused;
  const asked = toWayRequest(given, cli.provider, way);
  const isBridged = "tools" in way && way.rules.bridgeName !== undefined;
  const { request } = withoutIgnored(cli.provider, isBridged ? withPlannedBridge(asked) : asked);
  const answersPermissions = onPermission !== undefined;
  const plan = planInstalled(host, cli, target, request, answersPermissions);
  return "command" in plan ? redactPlan(plan, cli.provider, secretsOf(cli.provider, request, host.env)) : plan;
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
