import { availableParallelism } from "node:os";
import type { Channel } from "../process/channel/channel.ts";
import { isStopped, memoryOf } from "../process/tree/process-table.ts";
import type { WarmOptions, WarmProcess } from "../spec/client-options.ts";
import { resumedBy } from "../spec/fields.ts";
import type { PromptRequest } from "../spec/request.ts";
import { Demand, type ResidentLaunch } from "./demand.ts";

type Resident = {
  readonly provider: string;
  readonly key: string;
  readonly identity: string;
  readonly channel: Channel;
  readonly openedAt: number;
  turns: number;
  lastUsedAt: number;
  /** True if another process has continued a session that it has in memory, or if its program or login was replaced; it takes no further turn. */
  isOutdated: boolean;
  idleTimer?: NodeJS.Timeout;
};

/** After this many processes that ended unused, none is started in advance for the key. */
const MOST_FALSE_STARTS = 2;
/** A start blocks the host for some milliseconds. A door needs less than this time to send an answer, so a start waits that long. */
const SENT_MS = 10;
/** The keys that the pool remembers; the oldest is forgotten first. */
const MOST_KEYS = 256;

/**
 * Keeps processes that take several turns, so that a run need not wait for the start of its CLI. It starts one in advance after the
 * second answer with the same key. It bounds their number, memory and idle time, and none of them keeps the host alive.
 */
export class WarmPool {
  private readonly options: Required<WarmOptions>;
  private readonly bytes: () => number;
  private readonly residents = new Set<Resident>();
  private readonly demands = new Map<string, Demand>();
  private readonly planned = new Set<NodeJS.Timeout>();
  private isClosed = false;

  /** `bytes` is the memory of all processes that are kept. */
  constructor(options: Required<WarmOptions>, bytes: () => number) {
    this.options = options;
    this.bytes = bytes;
  }

  /** Undefined if no process may take the request now. */
  take(launch: ResidentLaunch, request: PromptRequest): Channel | undefined {
    this.endReplaced(launch);
    this.endStopped(launch);
    const ready = this.ready(launch, request);
    const found = ready.find(({ channel }) => channel.isPrepared(request)) ?? ready[0];
    const session = resumedBy(request);
    // Only one process may have a session in memory; the others would not know this turn.
    if (session !== undefined) this.endSession(session, found);
    if (found !== undefined) this.use(found);
    return found?.channel;
  }

  /** True if a process would take the request now. */
  has(launch: ResidentLaunch, request: PromptRequest): boolean {
    return this.ready(launch, request).some(({ identity }) => identity === launch.identity);
  }

  /** Starts a process for a run and keeps it for later turns; undefined if it could not be started or nothing may be kept. */
  open(launch: ResidentLaunch): Channel | undefined {
    const opened = this.start(launch);
    if (opened !== undefined) this.use(opened);
    return opened?.channel;
  }

  /**
   * Counts an attempt with this launch. The function that it returns is called at its end. After the second answer it starts processes
   * for the next attempts, but takes no processor from those in progress.
   */
  countAttempt(launch: ResidentLaunch, request: PromptRequest): (hasAnswered: boolean) => void {
    const demand = this.demandOf(launch);
    demand.begin();
    return (hasAnswered) => {
      const isRepeated = demand.end(hasAnswered, launch.settings);
      if (demand.answers >= 2) this.afterAnswer(() => this.startInAdvance(launch, demand, request, isRepeated));
    };
  }

  /** Ends the processes that have this session in memory, but for one; a process with open turns of others ends after these. */
  endSession(session: string, except?: Resident): void {
    for (const resident of this.residents) {
      if (resident === except || !resident.channel.holds(session)) continue;
      if (resident.channel.isGivenUp()) this.end(resident);
      else resident.isOutdated = true;
    }
  }

  list(): readonly WarmProcess[] {
    const now = performance.now();
    return [...this.residents].map(({ provider, channel, openedAt, turns, lastUsedAt }) => {
      const pid = channel.pid();
      const memoryBytes = pid === undefined ? undefined : memoryOf(pid);
      return {
        provider,
        ...(pid !== undefined && { pid }),
        ...(memoryBytes !== undefined && { memoryBytes }),
        turns,
        isPrepared: channel.isPrepared(),
        ageMs: Math.round(now - openedAt),
        idleMs: channel.isIdle() ? Math.round(now - lastUsedAt) : 0,
      };
    });
  }

  /** Starts no further process; the processes are ended by the host. */
  close(): void {
    this.isClosed = true;
    for (const { idleTimer } of this.residents) clearTimeout(idleTimer);
    for (const timer of this.planned) clearTimeout(timer);
  }

  /** Calls the function when the caller has sent the answer on; a host that ends before that starts nothing. */
  private afterAnswer(act: () => void): void {
    const timer = setTimeout(() => {
      this.planned.delete(timer);
      act();
    }, SENT_MS).unref();
    this.planned.add(timer);
  }

  private demandOf({ key, identity }: ResidentLaunch): Demand {
    const known = this.demands.get(key);
    if (known?.identity === identity) return known;
    const [oldest] = this.demands.keys();
    if (this.demands.size >= MOST_KEYS && oldest !== undefined) this.demands.delete(oldest);
    const demand = new Demand(identity, known?.answers ?? 0);
    this.demands.set(key, demand);
    return demand;
  }

  /** A process that was stopped (SIGSTOP) would answer nothing, until a clock of the run ends it. */
  private endStopped({ key }: ResidentLaunch): void {
    for (const resident of this.residents) {
      if (resident.key === key && resident.channel.isIdle() && isStopped(resident.channel.pid() ?? 0)) this.end(resident);
    }
  }

  /** The processes of a program or login that was replaced take no further turn. */
  private endReplaced({ key, identity }: ResidentLaunch): void {
    for (const resident of this.residents) {
      if (resident.key !== key || resident.identity === identity) continue;
      if (resident.channel.isIdle()) this.end(resident);
      else resident.isOutdated = true;
    }
  }

  /** Starts what is missing for the next attempts, and prepares processes for settings that come again. */
  private startInAdvance(launch: ResidentLaunch, demand: Demand, request: PromptRequest, isRepeated: boolean): void {
    const free = demand.active === 0 ? this.options.processes : availableParallelism() - demand.active;
    // A prepared process may take no other settings, so that one more waits for any.
    const more = isRepeated && launch.bindsToSettings ? 1 : 0;
    const wanted = Math.min(this.options.processes, Math.ceil(demand.takePeak() / launch.turnsAtOnce) + more);
    const ready = this.ready(launch, request).length;
    for (let count = ready; count < Math.min(wanted, ready + free) && demand.falseStarts < MOST_FALSE_STARTS; count += 1)
      if (this.start(launch, count > 0 ? launch.key : undefined) === undefined) break;
    if (isRepeated) this.prepare(launch, request);
  }

  /** Prepares the processes that may take the request: one, or all but one if another process waits for other settings. */
  private prepare(launch: ResidentLaunch, request: PromptRequest): void {
    const ready = this.ready(launch, request);
    const unprepared = ready.filter(({ channel }) => !channel.isPrepared(request));
    if (launch.bindsToSettings) for (const { channel } of unprepared.slice(1)) channel.prepare(request);
    else if (unprepared.length === ready.length) unprepared[0]?.channel.prepare(request);
  }

  private ready(launch: ResidentLaunch, request: PromptRequest): readonly Resident[] {
    return [...this.residents].filter(
      ({ key, isOutdated, channel }) => key === launch.key && !isOutdated && channel.canTake(request),
    );
  }

  private start(launch: ResidentLaunch, spared?: string): Resident | undefined {
    if (this.isClosed) return undefined;
    this.endIdle(() => this.hasRoom(), spared);
    if (!this.hasRoom()) return undefined;
    const opened = launch.open(() => this.sawIdle(resident));
    if (opened === undefined) {
      this.demandOf(launch).falseStarts += 1;
      return undefined;
    }
    const now = performance.now();
    const { provider, key, identity } = launch;
    const unused = { openedAt: now, turns: 0, lastUsedAt: now, isOutdated: false };
    const resident: Resident = { provider, key, identity, channel: opened, ...unused };
    this.residents.add(resident);
    this.armIdle(resident);
    void opened.gone.then(() => this.sawEnd(resident));
    return resident;
  }

  private use(resident: Resident): void {
    resident.turns += 1;
    resident.lastUsedAt = performance.now();
    clearTimeout(resident.idleTimer);
  }

  private sawIdle(resident: Resident): void {
    resident.lastUsedAt = performance.now();
    const pid = resident.channel.pid();
    const isLarge = pid !== undefined && (memoryOf(pid) ?? 0) > this.options.processBytes;
    if (this.isClosed || isLarge || resident.isOutdated || resident.channel.isSpent()) return this.end(resident);
    this.armIdle(resident);
  }

  private armIdle(resident: Resident): void {
    clearTimeout(resident.idleTimer);
    resident.idleTimer = setTimeout(() => this.end(resident), this.options.idleMs).unref();
  }

  private sawEnd(resident: Resident): void {
    clearTimeout(resident.idleTimer);
    const wasEndedByPool = !this.residents.delete(resident);
    const demand = this.demands.get(resident.key);
    if (!wasEndedByPool && resident.turns === 0 && demand?.identity === resident.identity) demand.falseStarts += 1;
  }

  /** Ends idle processes, the longest unused first and none with the spared key, until it is enough. */
  endIdle(isEnough: () => boolean, spared?: string): void {
    const idle = [...this.residents]
      .filter(({ key, channel }) => key !== spared && channel.isIdle())
      .toSorted((left, right) => left.lastUsedAt - right.lastUsedAt);
    for (const resident of idle) {
      if (isEnough()) return;
      this.end(resident);
    }
  }

  pids(): readonly number[] {
    return [...this.residents].flatMap(({ channel }) => channel.pid() ?? []);
  }

  /** A process that takes no other turn belongs to its parked turn, whose number is bounded elsewhere. */
  private hasRoom(): boolean {
    const taken = [...this.residents].filter(({ channel }) => !(channel.isSpent() && channel.isParked())).length;
    return taken < this.options.processes && this.bytes() < this.options.totalBytes;
  }

  private end(resident: Resident): void {
    clearTimeout(resident.idleTimer);
    this.residents.delete(resident);
    resident.channel.end();
  }
}
