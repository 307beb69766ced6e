import type { InstalledCli } from "../launch/installed-cli.ts";
import { launchOptions, planLaunch } from "../launch/plan-launch.ts";
import type { Channel } from "../process/channel/channel.ts";
import { openChannel } from "../process/channel/open-channel.ts";
import type { RunHost } from "../run/run-host.ts";
import type { LaunchPlan } from "../spec/provider/launch-plan.ts";
import type { ResidentTransport } from "../spec/provider/provider.ts";
import type { PromptRequest, Target } from "../spec/request.ts";
import { resumedBy } from "../spec/resumed-by.ts";
import { identityOfCli } from "../warm/identity-of-cli.ts";
import { keyOfPlan, keyOfSettings, type ResidentLaunch } from "../warm/resident-launch.ts";
import type { WarmPool } from "../warm/warm-pool.ts";

/** What a resident process is planned for. */
export type ResidentNeed = {
  /** More turns of the session follow. */
  readonly keepsProcess: boolean;
  readonly cli: InstalledCli;
  readonly target: Target;
  readonly request: PromptRequest;
  readonly answersPermissions: boolean;
};

/** How a request is sent by the resident transport. */
export type ResidentPlan = {
  readonly launch: ResidentLaunch;
  /** The plan of a process for this request. */
  readonly planProcess: () => LaunchPlan;
  /** True if a process is opened when none is warm; otherwise the run then starts one by `spawn`. */
  readonly isNeeded: boolean;
  /** Where the process comes from and stays; undefined if it takes this turn only. */
  readonly pool: WarmPool | undefined;
};

/** How the resident transport serves this request; undefined if only `spawn` can. */
export function planResident(host: RunHost, need: ResidentNeed): ResidentPlan | undefined {
  const { cli, target, request, answersPermissions } = need;
  const { provider, found } = cli;
  const { resident } = provider.transports;
  if (resident === undefined || !isWanted(resident, need) || !("command" in found)) return undefined;
  const { env } = host;
  if (!resident.serves(request, launchOptions(provider, target, request, { answersPermissions, env }))) return undefined;
  const context = { ...found, answersPermissions, env, transport: resident };
  // All turns of a session share a process, whether they begin, continue or fork it.
  const shared = request.session === undefined ? request : { ...request, session: { keep: true } as const };
  const { preparation } = resident.wire;
  const planProcess = (): LaunchPlan => planLaunch(provider, target, request, context);
  const launch = {
    provider: provider.id,
    key: keyOfPlan(planLaunch(provider, target, shared, context), env),
    identity: identityOfCli(cli, target, { ...env, ...request.env }),
    turnsAtOnce: resident.wire.turnsAtOnce,
    settings: keyOfSettings(preparation?.settingsOf(request)),
    keepsOneForOthers: preparation?.keepsOneForOthers(request) === true,
    open: (onIdle: () => void) => openResident(host, resident, planProcess(), onIdle),
  };
  const isLoneAgent = request.mode === "agent" && request.session === undefined;
  const staysOpen = need.keepsProcess && request.session !== undefined && host.pool !== undefined;
  const isAsked = target.transport === "resident" || staysOpen || isOnlyWay(resident, need);
  const isNeeded = isAsked && (resident.resumes !== false || resumedBy(request) === undefined);
  // An agent without a session leaves processes of its tools with its own process, so that one is not kept.
  return { launch, planProcess, isNeeded, pool: isLoneAgent ? undefined : host.pool };
}

function isWanted(resident: ResidentTransport, need: ResidentNeed): boolean {
  const { transport = "auto" } = need.target;
  if (transport !== "auto") return transport === "resident";
  if (isOnlyWay(resident, need)) return true;
  return resident.onlyIfAsked === undefined && (need.request.mode !== "agent" || need.request.session !== undefined);
}

/** True if `spawn` cannot do what the request needs. */
function isOnlyWay(resident: ResidentTransport, need: ResidentNeed): boolean {
  return canOnlyAskHere(resident, need) || canOnlyCallHere(resident, need) || takesMessagesHere(resident, need);
}

/** True if the request has a conversation and only this transport takes it as messages. */
function takesMessagesHere({ takesMessages }: ResidentTransport, { cli, request }: ResidentNeed): boolean {
  return request.conversation !== undefined && takesMessages === true && cli.provider.transports.spawn.takesMessages !== true;
}

/** True if the host answers permission requests and only this transport can ask them. */
function canOnlyAskHere({ traits = {} }: ResidentTransport, { cli, request, answersPermissions }: ResidentNeed): boolean {
  if (request.mode !== "agent" || !answersPermissions) return false;
  return traits.permissionRequests === true && cli.provider.traits.permissionRequests !== true;
}

/** True if the request has native host tools and only this transport takes them. */
function canOnlyCallHere({ nativeTools }: ResidentTransport, { cli, request }: ResidentNeed): boolean {
  if ((request.nativeTools ?? []).length === 0) return false;
  return nativeTools !== undefined && cli.provider.transports.spawn.nativeTools === undefined;
}

function openResident(
  host: RunHost,
  { wire, stopSignal }: ResidentTransport,
  plan: LaunchPlan,
  onIdle: () => void,
): Channel | undefined {
  const { env, guardian, limits } = host;
  const options = { run: host.nextRunId(), env, guardian, stopSignal, wire, lineBytes: limits.lineBytes, isWarm: true, onIdle };
  const opened = openChannel(plan, options);
  if (!("take" in opened)) return undefined;
  host.track({ end: () => opened.end(), gone: opened.gone });
  return opened;
}
