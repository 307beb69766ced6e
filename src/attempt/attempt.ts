import { callersNameOf } from "../host-tools/native-tools.ts";
import { identityOfCli, UNBUNDLE, warnOfUnproven } from "../launch/find-cli.ts";
import {
  launchOptions,
  type Prepared,
  type PreparedResident,
  type PrepareOptions,
  prepare,
  spawnObstacle,
} from "../launch/prepare.ts";
import type { Channel, OpenedChannel, ParkedTurn, ParkReason } from "../process/channel/channel.ts";
import { openChannel } from "../process/channel/process-channel.ts";
import { Guardian } from "../process/guardian/guardian.ts";
import { warnOfProject } from "../request/project/check-project.ts";
import { modelOf, type ResolvedTarget } from "../request/targets.ts";
import type { RunHost } from "../run/open-run.ts";
import { cancelledEnd, failedEnd, type PartContext } from "../run/part.ts";
import { resumedBy } from "../spec/fields.ts";
import type { HealthWarning } from "../spec/health.ts";
import type { Provider, Transport } from "../spec/provider/provider.ts";
import type { PromptRequest } from "../spec/request.ts";
import type { AttemptStart, Notice, RunEnd } from "../spec/wire/events.ts";
import type { ResidentLaunch } from "../warm/demand.ts";
import type { Continuation } from "../warm/keeper.ts";
import type { KeptTurn } from "../warm/kept-turns.ts";
import type { WarmPool } from "../warm/warm-pool.ts";
import { withAdvice } from "./conclude.ts";
import { Turn, type TurnParts } from "./turn.ts";

type Attempting = {
  readonly host: RunHost;
  readonly context: PartContext;
  readonly prepared: Prepared;
  readonly notices: readonly Notice[];
  /** How the resident transport would serve the request, and the pool of its process. */
  readonly warm?: { readonly launch: ResidentLaunch; readonly pool: WarmPool | undefined; readonly isNeeded: boolean };
};

/** What an attempt needs of its process besides the request. */
export function needsOf(
  { keeper }: RunHost,
  { onPermission, keepsProcess }: Pick<PartContext, "onPermission" | "keepsProcess">,
): PrepareOptions {
  return { answersPermissions: onPermission !== undefined, keepsProcess: keepsProcess === true && keeper !== undefined };
}

/** The request with what its run may still spend, for a CLI that takes such a limit. */
export function withBudgetLeft(request: PromptRequest, { budgetLeft }: PartContext): PromptRequest {
  const { budget: _, ...rest } = request;
  const left = budgetLeft?.();
  return left === undefined ? rest : { ...rest, budget: left };
}

/** Makes an attempt: reports what the user should know before and after it, and counts it for the pool. */
export async function inAttempt(
  { host, context, prepared }: Pick<Attempting, "host" | "context" | "prepared">,
  send: (attempting: Attempting) => Promise<RunEnd>,
): Promise<RunEnd> {
  const { provider, request } = prepared;
  warnOfGuardian(host, context);
  const untrusted = request.mode === "agent" ? warnOfProject(provider, request, prepared.env) : undefined;
  if (untrusted !== undefined) context.writer.warnOnce(PROJECT, untrusted);
  const session = resumedBy(request);
  // A parked turn that this attempt does not continue would keep the session from every other process.
  if (session !== undefined) host.keeper?.endSessionTurn(session);
  const warm = warmOf(host, prepared);
  // A process that was started for a session serves no other one.
  const countEnd = request.session === undefined ? warm?.pool?.countAttempt(warm.launch, request) : undefined;
  let hasAnswered = false;
  try {
    const end = await send({ host, context, prepared, notices: noticesOf(host, prepared), ...(warm !== undefined && { warm }) });
    hasAnswered = end.failure === undefined;
    // A guardian that exits at its start is known to be missing only after its last one.
    warnOfGuardian(host, context);
    return withAdvice(end, prepared);
  } finally {
    countEnd?.(hasAnswered);
  }
}

function warmOf(host: RunHost, prepared: Prepared): Attempting["warm"] {
  const { resident } = prepared;
  if (resident === undefined) return undefined;
  const { isNeeded, mayStay } = resident;
  return { launch: residentLaunchOf(host, prepared, resident), pool: mayStay ? host.keeper?.processes : undefined, isNeeded };
}

/** The warnings that follow the `attempt-start` of a prepared request. */
function noticesOf(host: RunHost, { cli, ignored }: Prepared): readonly Notice[] {
  return [...warnOfUnproven(host, cli), ...ignored];
}

function warnOfGuardian({ guardian }: RunHost, { writer }: PartContext): void {
  const warning = missingGuardianWarning(guardian);
  if (warning !== undefined) writer.warnOnce(GUARDIAN, { code: warning.code, message: `${warning.message} ${warning.hint}` });
}

/** All attempts of a run warn about the same guardian, and about the same project. */
const GUARDIAN = {};
const PROJECT = {};

export function residentLaunchOf(host: RunHost, prepared: Prepared, resident: PreparedResident): ResidentLaunch {
  const { transport, key, settings } = resident;
  const { wire } = transport;
  return {
    provider: prepared.provider.id,
    ...{ key, settings },
    identity: identityOfCli(prepared.cli, prepared.target, { ...prepared.env, ...prepared.request.env }),
    turnsAtOnce: wire.turnsAtOnce,
    bindsToSettings: wire.preparation?.bindsToSettings(prepared.request) === true,
    open: (onIdle) => {
      const plan = resident.plan();
      const opened = openChannel(plan, { ...optionsOf(host, prepared, transport), run: host.nextRunId(), isWarm: true, onIdle });
      if (!("take" in opened)) return undefined;
      host.track({ end: () => opened.end(), gone: opened.gone });
      return opened;
    },
  };
}

function optionsOf(
  { guardian, limits: { lineBytes } }: RunHost,
  { env }: Prepared,
  { stopSignal, wire }: Pick<Transport, "stopSignal" | "wire">,
): Omit<Parameters<typeof openChannel>[1], "run"> {
  return { env, guardian, stopSignal, wire, lineBytes };
}

/** The end of a turn on a warm process. Undefined if there is none, and if a new process may repeat the attempt: the warm one was lost, or its login. */
export async function onWarmProcess(attempting: Attempting): Promise<RunEnd | undefined> {
  const { prepared, context, warm } = attempting;
  const channel = warm?.pool?.take(warm.launch, prepared.request);
  if (channel === undefined) return undefined;
  const turn = beginTurn(attempting, { transport: "resident", warm: true });
  const end = await runTurn(attempting, turn, channel);
  if (!mayRepeat(attempting, turn, end)) return end;
  context.writer.repeats(end.failure);
  return undefined;
}

/**
 * The end of a kept turn that goes on with the results of its calls, or with the prompt. Undefined if the process was lost before it showed
 * anything, so that another process can answer the whole conversation; a login that was lost or replaced counts too.
 */
export async function onKeptTurn(
  host: RunHost,
  { kept, results }: Pick<Continuation, "kept" | "results">,
  { cli, prompt, context }: { readonly cli: ResolvedTarget; readonly prompt: PromptRequest; readonly context: PartContext },
): Promise<RunEnd | undefined> {
  const { turn: parked, transport, model, bridge } = kept;
  if (context.signal.aborted) {
    parked.end();
    return cancelledEnd();
  }
  const isContinued = parked.waitsFor === "results";
  const prepared = prepare(host, cli, prompt, { answersPermissions: false, keepsProcess: false, isContinued });
  if ("code" in prepared || !takesKept(prepared, kept)) {
    parked.end();
    return undefined;
  }
  if (!parked.isOpen) return undefined;
  const bridging = bridge === undefined ? context : { ...context, bridge };
  const attempting = { host, context: bridging, prepared, notices: noticesOf(host, prepared) };
  const turn = beginTurn(attempting, { transport, warm: true, ...(model !== undefined && { model }) });
  turn.resume(parked, results);
  context.writer.flush();
  const end = await turn.ended;
  if (!mayRepeat(attempting, turn, end)) return withAdvice(end, prepared);
  context.writer.repeats(end.failure);
  return undefined;
}

/** True if the process has the program, login and environment of this request, and its transport can be sent the next message alone. */
function takesKept(prepared: Prepared, { turn: { waitsFor }, transport, identity }: KeptTurn): boolean {
  if (prepared.identity() !== identity) return false;
  if (waitsFor === "results" || transport === "spawn") return true;
  const { provider, target, request, env } = prepared;
  const options = launchOptions(provider, target, request, { answersPermissions: false, env });
  return provider.transports.resident?.serves(request, options) === true;
}

/** A new process may do better: a warm one may have read an older login, may end at any time, and may say less about a failure. */
function mayRepeat({ prepared: { provider }, context }: Attempting, turn: Turn, { failure }: RunEnd): boolean {
  const { trace } = context.writer;
  if (failure === undefined || trace.hasShown || trace.hasActed || failure.partialText) return false;
  if (failure.code === "output-truncated") return false;
  const { unclearFailures = [] } = provider.transports.resident ?? {};
  return turn.hasLostProcess || failure.category === "authentication" || unclearFailures.includes(failure.category);
}

/** The end of a turn on a new process: one that may stay for later turns if the request needs it, or one for this turn. */
export async function onNewProcess(attempting: Attempting): Promise<RunEnd> {
  const { host, context, prepared, notices, warm } = attempting;
  if (context.signal.aborted) return cancelledEnd();
  if (warm?.isNeeded === true) return startResident(attempting, warm);
  const session = resumedBy(prepared.request);
  // A warm process that has the session in memory would not know this turn.
  if (session !== undefined) host.keeper?.processes.endSession(session);
  const { failure, notice } = spawnObstacle(prepared) ?? {};
  if (failure !== undefined) return failedEnd(failure);
  return spawnAnew(notice === undefined ? attempting : { ...attempting, notices: [...notices, notice] });
}

/** Starts a process that is kept for the next turns; without a place for it the process takes this turn only. */
async function startResident(attempting: Attempting, { launch, pool }: NonNullable<Attempting["warm"]>): Promise<RunEnd> {
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
  const options = optionsOf(host, prepared, prepared.provider.transports.spawn);
  const opened = openChannel(plan, { ...options, run: context.writer.nextProcessId() });
  if ("take" in opened) {
    const end = (): void => {
      turn.cancel();
      opened.end();
    };
    host.track({ end, gone: opened.gone });
  }
  return runTurn(attempting, turn, opened);
}

function runTurn({ context }: Attempting, turn: Turn, opened: OpenedChannel): Promise<RunEnd> {
  turn.begin(opened);
  context.writer.flush();
  return turn.ended;
}

/** Makes the turn of the next attempt, and reports the attempt. */
function beginTurn(attempting: Attempting, how: Pick<AttemptStart, "transport" | "warm" | "model">): Turn {
  const { host, context, prepared, notices } = attempting;
  const { provider, target, request, env } = prepared;
  const { writer } = context;
  const model = modelOf({ target, provider });
  const idPrefix = writer.beginAttempt({ provider: provider.id, ...(model !== undefined && { model }), ...how });
  writer.keepsSession = keepsSession(provider, request);
  writer.trace.silentRetries = provider.silentRetries?.[request.mode ?? "completion"] ?? {};
  writer.trace.hostTools = new Set((request.nativeTools ?? []).map(callersNameOf));
  for (const notice of [...notices, ...budgetNotices(provider, request, how.transport)]) writer.warnOnce(target, notice);
  const park = parkingOf(attempting, how.transport);
  return new Turn({ host: { ...host, env }, provider, request, context, park, idPrefix });
}

/** The warning about a budget that cannot stop an agent before its end. */
function budgetNotices(
  { label, traits, transports }: Provider,
  { mode, budget = {} }: PromptRequest,
  transport: AttemptStart["transport"],
): readonly Notice[] {
  if (mode !== "agent") return [];
  const { wire, limitsCost } = transports[transport] ?? transports.spawn;
  const isBlind =
    (budget.tokens !== undefined && wire.countsSteps === undefined) ||
    (budget.usd !== undefined && traits.cost && limitsCost !== true && wire.countsSteps !== "cost");
  const message = `${label} reports what an agent has used at its end only, so the budget stops no run inside; it holds between runs.`;
  return isBlind ? [{ code: "budget-between-runs", message }] : [];
}

/** True if the CLI stores the session of this request, so that it can be resumed. */
function keepsSession({ storesAgents }: Provider, { session, mode }: PromptRequest): boolean {
  return session !== undefined || (mode === "agent" && storesAgents !== false);
}

/** What a turn may be parked for, and who takes it then. */
function parkingOf({ context, prepared }: Attempting, transport: AttemptStart["transport"]): TurnParts["park"] {
  const { park, bridge, writer } = context;
  if (park === undefined) return undefined;
  const { provider, request } = prepared;
  // By its beginning: a login that is replaced during the turn is another one.
  const identity = prepared.identity();
  const leave = (reason: ParkReason) => (turn: ParkedTurn, about: Pick<KeptTurn, "calls" | "text">) => {
    const session = request.session === undefined ? undefined : writer.sessionId;
    park[reason]?.({ provider: provider.id, transport, identity, turn, session, bridge, ...about });
  };
  const keepsConversation = provider.transports[transport]?.keepsConversation === true;
  return {
    ...(park.results !== undefined && { results: leave("results") }),
    ...(park.message !== undefined && keepsConversation && { message: leave("message") }),
  };
}

/** Undefined if the guardian can be started, or if the client wants none. */
function missingGuardianWarning(guardian: Pick<Guardian, "isMissing"> | undefined): HealthWarning | undefined {
  if (guardian?.isMissing !== true) return undefined;
  return {
    code: "guardian-missing",
    message: "The guardian cannot be started: if this process is killed, the processes of its runs go on.",
    hint: UNBUNDLE,
  };
}

/** The warning of `missingGuardianWarning` for this process, before its first run. */
export function guardianWarningHere(): HealthWarning | undefined {
  return missingGuardianWarning(new Guardian());
}

/** Without a guardian no process outlives its run. */
export function withoutKept(host: RunHost): RunHost {
  return host.guardian?.isMissing === true ? { ...host, keeper: undefined } : host;
}
