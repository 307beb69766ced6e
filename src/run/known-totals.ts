import type { PromptRequest } from "../spec/request.ts";
import { addUsage, isSoundTotals, NO_TOTALS, type RunningTotals, type SessionTotals, type Usage } from "../spec/wire/usage.ts";
import type { TurnBaseline } from "../spec/wire/wire.ts";

/** The oldest session is forgotten first. */
const MOST_SESSIONS = 1000;

const MOST_TOTALS = 8;

/** A turn that has ended: the session as the CLI names it, the totals that it reported, and the tokens of the turn. */
type EndedTurn = {
  readonly session: string | undefined;
  readonly totals: SessionTotals | undefined;
  readonly usage: Usage | undefined;
};

/** Totals that other clients can read: those of the sessions with a record. */
export type TotalsStore = {
  read(provider: string, session: string): readonly RunningTotals[];
  write(provider: string, session: string, totals: readonly RunningTotals[]): void;
};

/** What the CLIs of one client have counted for their sessions: by it the next turn of a session knows what was counted before it. */
export class KnownTotals {
  private readonly sessions = new Map<string, readonly RunningTotals[]>();
  private store: TotalsStore | undefined;

  shareBy(store: TotalsStore): void {
    this.store = store;
  }

  /** The totals with which the CLI may begin the next turn of this session; undefined if nothing is known. */
  of(provider: string, session: string): readonly RunningTotals[] | undefined {
    return this.sessions.get(keyOf(provider, session));
  }

  /**
   * Notes a turn: its totals if the CLI has reported them, else those before it, without and with what it used. Earlier totals stay possible:
   * the next process may begin before this one has stored its own. A turn of a stored session has a record of its own.
   */
  note(provider: string, request: PromptRequest, ended: EndedTurn, isSessionTurn = false): void {
    const { session } = ended;
    if (session === undefined) return;
    this.remember(provider, request, session, ended);
    const totals = this.of(provider, session);
    const isContinued = request.session !== undefined && "resume" in request.session;
    if (isContinued && !isSessionTurn && totals !== undefined) this.store?.write(provider, session, totals);
  }

  private remember(provider: string, request: PromptRequest, session: string, { totals, usage }: EndedTurn): void {
    const key = keyOf(provider, session);
    if (totals !== undefined) {
      const { now, began } = totals;
      return this.put(key, [now, ...(began === undefined ? [] : [began]), ...(this.sessions.get(key) ?? [])]);
    }
    const { totalsBefore } = this.before(provider, request);
    if (totalsBefore === undefined) return;
    const before = totalsBefore.length === 0 ? [NO_TOTALS] : totalsBefore;
    const spent = usage === undefined || usage.estimated ? [] : [usage];
    const after = spent.flatMap((used) =>
      before.slice(0, MOST_TOTALS / 2).map((one) => ({ ...one, usage: threadOf(addUsage(one.usage, used)) })),
    );
    this.put(key, [...after, ...before]);
  }

  learn(provider: string, session: string, totals: readonly RunningTotals[]): void {
    if (totals.length === 0) return;
    const key = keyOf(provider, session);
    const known = this.sessions.get(key) ?? [];
    // Either list may have the newest totals, and both begin with theirs.
    const ranks = Array.from({ length: Math.max(known.length, totals.length) }, (_, rank) => [known[rank], totals[rank]]);
    this.put(
      key,
      ranks.flat().filter((one) => one !== undefined),
    );
  }

  /** What the CLI may have counted before the turn, by other clients too; the record of a stored session is read before its turn. */
  begin(provider: string, request: PromptRequest, isSessionTurn = false): TurnBaseline {
    const session = continuedBy(request);
    if (session !== undefined && !isSessionTurn) this.learn(provider, session, this.store?.read(provider, session) ?? []);
    return this.before(provider, request);
  }

  /** What is known before a turn with this request: nothing was counted for a new session. */
  private before(provider: string, request: PromptRequest): TurnBaseline {
    const continued = continuedBy(request);
    const totals = continued === undefined ? [] : this.of(provider, continued);
    return totals === undefined ? { continuesUnknown: true } : { totalsBefore: totals };
  }

  private put(key: string, totals: readonly RunningTotals[]): void {
    this.sessions.delete(key);
    const different = new Map(totals.filter(isSoundTotals).map((one) => [JSON.stringify(one), one]));
    this.sessions.set(key, [...different.values()].slice(0, MOST_TOTALS));
    const [oldest] = this.sessions.keys();
    if (this.sessions.size > MOST_SESSIONS && oldest !== undefined) this.sessions.delete(oldest);
  }
}

/** The session that a request continues, or of which it continues a copy. */
function continuedBy({ session = { keep: true } }: PromptRequest): string | undefined {
  if ("resume" in session) return session.resume;
  return "fork" in session ? session.fork : undefined;
}

function threadOf(usage: Usage): Usage {
  return { ...usage, scope: "thread" };
}

function keyOf(provider: string, session: string): string {
  return `${provider} ${session.toLowerCase()}`;
}

/** In USD, rounded to remove floating-point errors. */
export function addCost(left: number, right: number): number {
  return Math.round((left + right) * 1e10) / 1e10;
}

export type Spent = { readonly usd: number; readonly tokens: number };

/** A count that is absent is 0. */
export function tokensOf({ inputTokens = 0, outputTokens = 0, totalTokens }: Usage): number {
  return totalTokens ?? inputTokens + outputTokens;
}
