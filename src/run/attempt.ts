import { openChannel } from "../process/channel.ts";
import type { Failure } from "../spec/failure.ts";
import type { LaunchPlan } from "../spec/launch-plan.ts";
import type { Provider } from "../spec/provider.ts";
import type { PromptRequest, RunRequest, Target } from "../spec/request.ts";
import { toPromptRequest } from "../tools/to-prompt.ts";
import { withAdvice } from "./advise.ts";
import { withoutIgnored } from "./check-support.ts";
import { cancelledEnd, failedEnd } from "./ends.ts";
import { findInstalled, type InstalledCli, warnOfUnproven } from "./installed-cli.ts";
import type { Attempt } from "./part.ts";
import { planLaunch } from "./plan-launch.ts";
import { modelOf, type ResolvedTarget, unknownProvider } from "./resolve-target.ts";
import type { RunHost } from "./run-host.ts";
import { redactPlan, secretsOf } from "./run-secrets.ts";
import { Turn } from "./turn.ts";
import { validateConversation } from "./validate-conversation.ts";
import { validateRequest } from "./validate-request.ts";

/** Creates the part that makes an attempt: it starts one process and sends it one prompt. */
export function createAttempt(host: RunHost): Attempt {
  return async ({ target, provider: known }, given, context) => {
    const { writer, signal } = context;
    if (signal.aborted) return cancelledEnd();
    const here = { ...host, env: copyEnvironment(host.env) };
    const cli = findInstalled(here, known);
    const { provider } = cli;
    const { request, warnings } = withoutIgnored(provider, given);
    const plan = planInstalled(here, cli, target, request, context.onPermission !== undefined);
    if (!("command" in plan)) return failedEnd(plan);
    const model = modelOf({ target, id: provider.id, provider });
    const about = { provider: provider.id, ...(model !== undefined && { model }) };
    const idPrefix = writer.beginAttempt({ ...about, transport: "spawn", warm: false });
    writer.trace.silentRetries = provider.silentRetries?.[request.mode ?? "completion"] ?? {};
    for (const warning of [...warnOfUnproven(here, cli), ...warnings]) writer.warnOnce(target, warning);
    const turn = new Turn({ host: here, provider, request, context, idPrefix });
    spawnTurn(turn, plan, provider, here, writer.nextProcessId());
    writer.flush();
    return withAdvice(await turn.ended, { provider, target, request, env: here.env });
  };
}

/** Each access to process.env leaves JavaScript, so an attempt copies it once. A spread would take twice the time. */
function copyEnvironment(env: RunHost["env"]): RunHost["env"] {
  const copy: Record<string, string | undefined> = {};
  for (const name of Object.getOwnPropertyNames(env)) copy[name] = env[name];
  return copy;
}

/** Starts a process for one turn and begins the turn; the host tracks the process until it has ended. */
function spawnTurn(turn: Turn, plan: LaunchPlan, provider: Provider, host: RunHost, run: string): void {
  const { env, guardian, limits } = host;
  const { stopSignal, wire } = provider.transports.spawn;
  const opened = openChannel(plan, { run, env, guardian, stopSignal, wire, lineBytes: limits.lineBytes });
  if ("take" in opened) {
    const end = (): void => {
      turn.cancel();
      opened.end();
    };
    host.track({ end, gone: opened.gone });
  }
  turn.begin(opened);
}

/** The launch plan of a run's first attempt without secrets, or the failure that would prevent the launch; starts nothing. */
export function planFirstAttempt(
  host: RunHost,
  { target, provider: known }: ResolvedTarget,
  given: RunRequest,
  answersPermissions: boolean,
): LaunchPlan | Failure {
  if (known === undefined) return unknownProvider(host, target.provider);
  const invalid = validateConversation(given);
  if (invalid !== undefined) return invalid;
  const cli = findInstalled(host, known);
  const { request } = withoutIgnored(cli.provider, toPromptRequest(given, cli.provider));
  const plan = planInstalled(host, cli, target, request, answersPermissions);
  return "command" in plan ? redactPlan(plan, cli.provider, secretsOf(cli.provider, request, host.env)) : plan;
}

function planInstalled(
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
