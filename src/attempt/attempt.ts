import { type Prepared, type PreparedResident, prepare, spawnObstacle } from "../launch/prepare.ts";
import { warnOfUnproven } from "../launch/installed-cli.ts";
import { callersNameOf } from "../host-tools/native-names.ts";
import type { Channel, OpenedChannel, ParkedTurn, ParkReason } from "../process/channel/channel.ts";
import { openChannel } from "../process/channel/open-channel.ts";
import { warnOfProject } from "../request/project/check-project.ts";
import { modelOf } from "../request/resolve-target.ts";
import { cancelledEnd, failedEnd } from "../run/ends.ts";
import type { Attempt, LeftTurn, PartContext } from "../run/part.ts";
import type { RunHost } from "../run/run-host.ts";
import type { LaunchPlan } from "../spec/provider/launch-plan.ts";
import type { Provider, Transport } from "../spec/provider/provider.ts";
import type { PromptRequest } from "../spec/request.ts";
import { resumedBy } from "../spec/resumed-by.ts";
import type { AttemptStart, Notice, RunEnd } from "../spec/wire/events.ts";
import { toResidentLaunch, type ResidentLaunch } from "../warm/resident-launch.ts";
import type { WarmPool } from "../warm/warm-pool.ts";
import { withAdvice } from "./advise.ts";
import { budgetNotices, withBudgetLeft } from "./limit-spending.ts";
import { missingGuardianWarning, withoutKept } from "./missing-guardian.ts";
import { Turn } from "./turn.ts";
import type { TurnParts } from "./turn-parts.ts";

/** One attempt: a prepared request and the run that it belongs to. */
type Attempting = {
  readonly host: RunHost;
  readonly context: PartContext;
  readonly prepared: Prepared;
  readonly notices: readonly Notice[];
};

/** Creates the part that makes an attempt: it sends one prompt to one process, a new one or one that is already running. */
export function createAttempt(known: RunHost): Attempt {
  return async (cli, asked, context) => {
    if (context.signal.aborted) return cancelledEnd();
    const host = withoutKept(known);
    const prepared = prepare(host, cli, withBudgetLeft(asked, context), {
      answersPermissions: context.onPermission !== undefined,
      keepsProcess: context.keepsProcess === true && host.pool !== undefined,
    });
    if ("code" in prepared) return failedEnd(prepared);
    warnOfGuardian(host, context);
    const untrusted = warnOfProject(prepared.provider, prepared.request, prepared.env);
    if (untrusted !== undefined) context.writer.warnOnce(PROJECT, untrusted);
    const session = resumedBy(prepared.request);
    // A parked turn that this attempt does not continue would keep the session from every other process.
    if (session !== undefined) host.parked?.endSession(session);
    const attempting = { host, context, prepared, notices: noticesOf(host, prepared) };
    const { resident } = prepared;
    const end = resident === undefined ? await spawnOnly(attempting) : await preferResident(attempting, resident);
    // A guardian that exits at its start is known to be missing only after its last one.
    warnOfGuardian(host, context);
    return withAdvice(end, prepared);
  };
}

/** What the attempt-start of a prepared request is followed by. */
export function noticesOf(host: RunHost, { cli, ignored }: Prepared): readonly Notice[] {
  return [...warnOfUnproven(host, cli), ...ignored];
}

function warnOfGuardian({ guardian }: RunHost, { writer }: PartContext): void {
  const warning = missingGuardianWarning(guardian);
  if (warning !== undefined) writer.warnOnce(GUARDIAN, { code: warning.code, message: `${warning.message} ${warning.hint}` });
}

/** All attempts of a run warn about the same guardian, and about the same project. */
const GUARDIAN = {};
const PROJECT = {};

async function spawnOnly(attempting: Attempting): Promise<RunEnd> {
  const { host, prepared, notices } = attempting;
  const session = resumedBy(prepared.request);
  // A warm process that has the session in memory would not know this turn.
  if (session !== undefined) host.pool?.endSession(session);
  const { failure, notice } = spawnObstacle(prepared) ?? {};
  if (failure !== undefined) return failedEnd(failure);
  return spawnAnew(notice === undefined ? attempting : { ...attempting, notices: [...notices, notice] });
}

/** Uses a process of the pool if there is one. A new process repeats the attempt if that one was lost or had lost its login. */
async function preferResident(attempting: Attempting, resident: PreparedResident): Promise<RunEnd> {
  const { host, context, prepared } = attempting;
  const { request } = prepared;
  const pool = resident.mayStay ? host.pool : undefined;
  const launch = residentLaunchOf(host, prepared, resident);
  // A process that was started for a session serves no other one.
  const countEnd = request.session === undefined ? pool?.countAttempt(launch, request) : undefined;
  let hasAnswered = false;
  try {
    const warm = await useWarm(attempting, launch, pool);
    if (warm === undefined && context.signal.aborted) return cancelledEnd();
    const end = warm ?? (resident.isNeeded ? await startResident(attempting, launch, pool) : await spawnOnly(attempting));
    hasAnswered = end.failure === undefined;
    return end;
  } finally {
    countEnd?.(hasAnswered);
  }
}

/** The launch of the resident process that a prepared request would share. */
export function residentLaunchOf(host: RunHost, prepared: Prepared, resident: PreparedResident): ResidentLaunch {
  return toResidentLaunch(prepared, resident, (onIdle) => {
    const opened = open(host, prepared, resident.transport, resident.plan(), { run: host.nextRunId(), isWarm: true, onIdle });
    if (!("take" in opened)) return undefined;
    host.track({ end: () => opened.end(), gone: opened.gone });
    return opened;
  });
}

/** Undefined without a warm process, and if a new process may repeat the attempt. */
async function useWarm(attempting: Attempting, launch: ResidentLaunch, pool: WarmPool | undefined): Promise<RunEnd | undefined> {
  const { prepared, context } = attempting;
  const warm = pool?.take(launch, prepared.request);
  if (warm === undefined) return undefined;
  const turn = beginTurn(attempting, { transport: "resident", warm: true });
  const end = await runTurn(attempting, turn, warm);
  if (!mayRepeat(attempting, turn, end)) return end;
  context.writer.repeats(end.failure);
  return undefined;
}

/** A warm process may be as old as the login that it has read, may end at any time, and may say less about a failure. */
export function mayRepeat({ prepared: { provider }, context }: Attempting, turn: Turn, { failure }: RunEnd): boolean {
  const { trace } = context.writer;
  if (failure === undefined || trace.hasShown || trace.hasActed || failure.partialText) return false;
  if (failure.code === "output-truncated") return false;
  const { vague = [] } = provider.transports.resident ?? {};
  return turn.hasLostProcess || failure.category === "authentication" || vague.includes(failure.category);
}

/** Starts a process that is kept for the next turns; without a place for it the process takes this turn only. */
async function startResident(attempting: Attempting, launch: ResidentLaunch, pool: WarmPool | undefined): Promise<RunEnd> {
  const alone = (): Channel | undefined => {
    const channel = launch.open(() => channel?.end());
    return channel;
  };
  const opened = pool?.open(launch) ?? alone();
  if (opened === undefined) return spawnAnew(attempting);
  return runTurn(attempting, beginTurn(attempting, { transport: "resident", warm: false }), opened);
}

/** Starts a process for one turn; the host tracks the process until it has ended. */
async function spawnAnew(attempting: Attempting): Promise<RunEnd> {
  const { host, prepared, context } = attempting;
  const plan = prepared.planSpawn();
  const turn = beginTurn(attempting, { transport: "spawn", warm: false });
  const { spawn } = prepared.provider.transports;
  const opened = open(host, prepared, spawn, plan, { run: context.writer.nextProcessId() });
  if ("take" in opened) {
    const end = (): void => {
      turn.cancel();
      opened.end();
    };
    host.track({ end, gone: opened.gone });
  }
  return runTurn(attempting, turn, opened);
}

function open(
  { guardian, limits: { lineBytes } }: RunHost,
  { env }: Prepared,
  { stopSignal, wire }: Pick<Transport, "stopSignal" | "wire">,
  plan: LaunchPlan,
  about: { readonly run: string; readonly isWarm?: boolean; readonly onIdle?: () => void },
): OpenedChannel {
  return openChannel(plan, { env, guardian, stopSignal, wire, lineBytes, ...about });
}

/** Begins a turn on its channel, shows what it has written at its beginning, and waits for its end. */
function runTurn({ context }: Attempting, turn: Turn, opened: OpenedChannel): Promise<RunEnd> {
  turn.begin(opened);
  context.writer.flush();
  return turn.ended;
}

/** Makes the turn of the next attempt, and reports the attempt. */
export function beginTurn(attempting: Attempting, how: Pick<AttemptStart, "transport" | "warm" | "model">): Turn {
  const { host, context, prepared, notices } = attempting;
  const { provider, target, request, env } = prepared;
  const { writer } = context;
  const model = modelOf({ target, id: provider.id, provider });
  const idPrefix = writer.beginAttempt({ provider: provider.id, ...(model !== undefined && { model }), ...how });
  writer.keepsSession = keepsSession(provider, request);
  writer.trace.silentRetries = provider.silentRetries?.[request.mode ?? "completion"] ?? {};
  writer.trace.hostTools = new Set((request.nativeTools ?? []).map(callersNameOf));
  for (const notice of [...notices, ...budgetNotices(provider, request, how.transport)]) writer.warnOnce(target, notice);
  const park = parkingOf(attempting, how.transport);
  return new Turn({ host: { ...host, env }, provider, request, context, park, idPrefix });
}

/** True if the CLI stores the session of this request, so that it can be resumed. */
function keepsSession({ storesAgents }: Provider, { session, mode }: PromptRequest): boolean {
  return session !== undefined || (mode === "agent" && storesAgents !== false);
}

/** What a turn may be parked for, and who takes it then. */
function parkingOf({ context: { park }, prepared }: Attempting, transport: AttemptStart["transport"]): TurnParts["park"] {
  if (park === undefined) return undefined;
  const { provider } = prepared;
  // By its beginning: a login that is replaced during the turn is another one.
  const identity = prepared.identity();
  const leave = (reason: ParkReason) => (turn: ParkedTurn, about: Pick<LeftTurn, "calls" | "text">) =>
    park[reason]?.({ provider: provider.id, transport, identity, turn, ...about });
  const keepsConversation = provider.transports[transport]?.keepsConversation === true;
  return {
    ...(park.results !== undefined && { results: leave("results") }),
    ...(park.message !== undefined && keepsConversation && { message: leave("message") }),
  };
}
