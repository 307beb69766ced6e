import type { Channel, OpenedChannel, ParkedTurn, ParkReason } from "../process/channel.ts";
import { openChannel } from "../process/open-channel.ts";
import type { AttemptStart, Notice, RunEnd } from "../spec/events.ts";
import type { LaunchPlan } from "../spec/launch-plan.ts";
import type { Provider } from "../spec/provider.ts";
import type { PromptRequest, Target } from "../spec/request.ts";
import { resumedBy } from "../spec/resumed-by.ts";
import { callersNameOf } from "../tools/native-names.ts";
import { withAdvice } from "./advise.ts";
import { warnOfProject } from "./check-project.ts";
import { withoutIgnored } from "./check-support.ts";
import { cancelledEnd, failedEnd } from "./ends.ts";
import { identityWithEnv } from "./identity-of-cli.ts";
import { findInstalled, warnOfUnproven } from "./installed-cli.ts";
import { budgetNotices, withBudgetLeft } from "./limit-spending.ts";
import { missingGuardianWarning, withoutKept } from "./missing-guardian.ts";
import type { Attempt, LeftTurn, PartContext } from "./part.ts";
import { planInstalled } from "./plan-attempt.ts";
import { spawnObstacle } from "./plan-process.ts";
import { planResident, type ResidentPlan } from "./plan-resident.ts";
import { inRealDirectory } from "./real-directory.ts";
import { modelOf } from "./resolve-target.ts";
import type { RunHost } from "./run-host.ts";
import { settleCli } from "./settle-cli.ts";
import { Turn } from "./turn.ts";
import type { TurnParts } from "./turn-parts.ts";

/** One attempt: the CLI, the request it can execute, and the plan of a process of its own. */
type Prepared = {
  readonly host: RunHost;
  readonly provider: Provider;
  readonly target: Target;
  readonly request: PromptRequest;
  readonly context: PartContext;
  /** The identity of the CLI, for a turn that may be parked. */
  readonly identity: string;
  readonly plan: LaunchPlan;
  readonly notices: readonly Notice[];
};

/** Creates the part that makes an attempt: it sends one prompt to one process, a new one or one that is already running. */
export function createAttempt(host: RunHost): Attempt {
  return async ({ target, provider: known }, asked, context) => {
    if (context.signal.aborted) return cancelledEnd();
    const given = withBudgetLeft(asked, context);
    const own = copyEnvironment(host.env);
    const settled = settleCli(findInstalled({ ...host, env: own }, known), target, given, own);
    if (!("cli" in settled)) return failedEnd(settled);
    const { cli, env } = settled;
    const here = { ...withoutKept(host), env };
    const { provider } = cli;
    const { request, warnings } = withoutIgnored(provider, inRealDirectory(given));
    const answersPermissions = context.onPermission !== undefined;
    const plan = planInstalled(here, cli, target, request, answersPermissions);
    if (!("command" in plan)) return failedEnd(plan);
    const notices = [...warnOfUnproven(here, cli), ...warnings];
    warnOfGuardian(here, context);
    const untrusted = warnOfProject(provider, request, env);
    if (untrusted !== undefined) context.writer.warnOnce(PROJECT, untrusted);
    const identity = context.park === undefined ? "" : identityWithEnv(cli, target, { ...here.env, ...request.env });
    const prepared = { host: here, provider, target, request, context, identity, plan, notices };
    const keepsProcess = context.keepsProcess === true;
    const resident = planResident(here, { cli, target, request, answersPermissions, keepsProcess });
    const session = resumedBy(request);
    // A parked turn that this attempt does not continue would keep the session from every other process.
    if (session !== undefined) host.parked?.endSession(session);
    const end = resident === undefined ? await spawnOnly(prepared) : await preferResident(prepared, resident);
    // A guardian that exits at its start is known to be missing only after its last one.
    warnOfGuardian(here, context);
    return withAdvice(end, { provider, target, request, env: here.env });
  };
}

function warnOfGuardian({ guardian }: RunHost, { writer }: PartContext): void {
  const warning = missingGuardianWarning(guardian);
  if (warning !== undefined) writer.warnOnce(GUARDIAN, { code: warning.code, message: `${warning.message} ${warning.hint}` });
}

/** All attempts of a run warn about the same guardian, and about the same project. */
const GUARDIAN = {};
const PROJECT = {};

/** True if the CLI stores the session of this request, so that it can be resumed. */
function keepsSession({ storesAgents }: Provider, { session, mode }: PromptRequest): boolean {
  return session !== undefined || (mode === "agent" && storesAgents !== false);
}

/** Each access to process.env leaves JavaScript, so an attempt copies it once. A spread would take twice the time. */
function copyEnvironment(env: RunHost["env"]): RunHost["env"] {
  const copy: Record<string, string | undefined> = {};
  for (const name of Object.getOwnPropertyNames(env)) copy[name] = env[name];
  return copy;
}

async function spawnOnly(prepared: Prepared): Promise<RunEnd> {
  const { host, provider, target, request, notices } = prepared;
  const session = resumedBy(request);
  // A warm process that has the session in memory would not know this turn.
  if (session !== undefined) host.pool?.endSession(session);
  const { failure, notice } = spawnObstacle(provider, target, request) ?? {};
  if (failure !== undefined) return failedEnd(failure);
  return spawnAnew(notice === undefined ? prepared : { ...prepared, notices: [...notices, notice] });
}

/** Uses a process of the pool if there is one. A new process repeats the attempt if that one was lost or had lost its login. */
async function preferResident(prepared: Prepared, resident: ResidentPlan): Promise<RunEnd> {
  const { request } = prepared;
  // A process that was started for a session serves no other one.
  const countEnd = request.session === undefined ? resident.pool?.countAttempt(resident.launch, request) : undefined;
  let hasAnswered = false;
  try {
    const warm = await useWarm(prepared, resident);
    if (warm === undefined && prepared.context.signal.aborted) return cancelledEnd();
    const end = warm ?? (await startProcess(prepared, resident));
    hasAnswered = end.failure === undefined;
    return end;
  } finally {
    countEnd?.(hasAnswered);
  }
}

/** Undefined without a warm process, and if a new process may repeat the attempt. */
async function useWarm(prepared: Prepared, { launch, pool }: ResidentPlan): Promise<RunEnd | undefined> {
  const warm = pool?.take(launch, prepared.request);
  if (warm === undefined) return undefined;
  const turn = beginTurn(prepared, { transport: "resident", warm: true });
  const end = await openTurn(prepared, turn, warm);
  if (!mayRepeat(prepared, turn, end)) return end;
  prepared.context.writer.repeats(end.failure);
  return undefined;
}

function startProcess(prepared: Prepared, resident: ResidentPlan): Promise<RunEnd> {
  return resident.isNeeded ? startResident(prepared, resident) : spawnOnly(prepared);
}

/** A warm process may be as old as the login that it has read, may end at any time, and may say less about a failure. */
export function mayRepeat(
  { provider, context }: Pick<Prepared, "provider" | "context">,
  turn: Turn,
  { failure }: RunEnd,
): boolean {
  const { trace } = context.writer;
  if (failure === undefined || trace.hasShown || trace.hasActed || failure.partialText) return false;
  if (failure.code === "output-truncated") return false;
  const { vague = [] } = provider.transports.resident ?? {};
  return turn.hasLostProcess || failure.category === "authentication" || vague.includes(failure.category);
}

/** Starts a process that is kept for the next turns; without a place for it the process takes this turn only. */
async function startResident(prepared: Prepared, { launch, pool }: ResidentPlan): Promise<RunEnd> {
  const alone = (): Channel | undefined => {
    const channel = launch.open(() => channel?.end());
    return channel;
  };
  const opened = pool?.open(launch) ?? alone();
  if (opened === undefined) return spawnAnew(prepared);
  return openTurn(prepared, beginTurn(prepared, { transport: "resident", warm: false }), opened);
}

/** Starts a process for one turn; the host tracks the process until it has ended. */
function spawnAnew(prepared: Prepared): Promise<RunEnd> {
  const { host, provider, plan, context } = prepared;
  const turn = beginTurn(prepared, { transport: "spawn", warm: false });
  const { stopSignal, wire } = provider.transports.spawn;
  const { env, guardian, limits } = host;
  const run = context.writer.nextProcessId();
  const opened = openChannel(plan, { run, env, guardian, stopSignal, wire, lineBytes: limits.lineBytes });
  if ("take" in opened) {
    const end = (): void => {
      turn.cancel();
      opened.end();
    };
    host.track({ end, gone: opened.gone });
  }
  return openTurn(prepared, turn, opened);
}

function openTurn({ context }: Prepared, turn: Turn, opened: OpenedChannel): Promise<RunEnd> {
  turn.begin(opened);
  return runTurn(context, turn);
}

/** Shows what the turn has written at its beginning, and waits for its end. */
export function runTurn({ writer }: PartContext, turn: Turn): Promise<RunEnd> {
  writer.flush();
  return turn.ended;
}

/** Makes the turn of the next attempt, and reports the attempt. */
export function beginTurn(prepared: Omit<Prepared, "plan">, how: Pick<AttemptStart, "transport" | "warm" | "model">): Turn {
  const { host, provider, target, request, context, notices } = prepared;
  const { writer } = context;
  const model = modelOf({ target, id: provider.id, provider });
  const idPrefix = writer.beginAttempt({ provider: provider.id, ...(model !== undefined && { model }), ...how });
  writer.keepsSession = keepsSession(provider, request);
  writer.trace.silentRetries = provider.silentRetries?.[request.mode ?? "completion"] ?? {};
  writer.trace.hostTools = new Set((request.nativeTools ?? []).map(callersNameOf));
  const about = [...notices, ...budgetNotices(provider, request, how.transport)];
  for (const notice of about) writer.warnOnce(target, notice);
  return new Turn({ host, provider, request, context, park: parkingOf(prepared, how.transport), idPrefix });
}

/** What a turn may be parked for, and who takes it then. */
function parkingOf(
  { provider, context: { park }, identity }: Omit<Prepared, "plan">,
  transport: AttemptStart["transport"],
): TurnParts["park"] {
  if (park === undefined) return undefined;
  const leave = (reason: ParkReason) => (turn: ParkedTurn, about: Pick<LeftTurn, "calls" | "text">) =>
    park[reason]?.({ provider: provider.id, transport, identity, turn, ...about });
  const keepsConversation = provider.transports[transport]?.keepsConversation === true;
  return {
    ...(park.results !== undefined && { results: leave("results") }),
    ...(park.message !== undefined && keepsConversation && { message: leave("message") }),
  };
}
