import { randomUUID } from "node:crypto";
import { UnusableDirectory } from "../files/state-directory.ts";
import { conversationOf } from "../prompts/to-prompt.ts";
import { type AskedTargets, modelOf } from "../request/targets.ts";
import type { KnownTotals } from "../run/known-totals.ts";
import { cancelledEnd, failedEnd, type Part, type PartContext } from "../run/part.ts";
import { createFailure, type Failure, type FailureDetails, thrownMessage } from "../spec/failure/failure.ts";
import type { FailureCode } from "../spec/failure/failure-codes.ts";
import { RunError, refusalOf } from "../spec/failure/run-error.ts";
import { defined } from "../spec/json.ts";
import type { Message } from "../spec/message.ts";
import { capabilitiesOf } from "../spec/provider/cli-data.ts";
import type { RunRequest, Target, TargetChoice, Targets } from "../spec/request.ts";
import type { RunResult } from "../spec/result.ts";
import type { CliSession, SessionRecord } from "../spec/session.ts";
import type { RunEnd } from "../spec/wire/events.ts";
import { bindTurn, type TurnBinding } from "./bind-turn.ts";
import type { SessionClaim } from "./session-claim.ts";
import { withSpent, withTurn } from "./session-record.ts";
import type { SessionStore } from "./session-store.ts";

export type TurnHost = {
  readonly store: SessionStore;
  readonly now: () => number;
  /** The targets that a turn asks: by the fallback's map of models. */
  readonly toAsk: (targets: TargetChoice | readonly TargetChoice[]) => AskedTargets;
  /** Ends the warm processes that have the CLI's session in memory. */
  readonly endProcesses: (cliSession: string) => void;
  readonly ownTurns: OwnTurns;
  readonly totals: KnownTotals;
};

/** The session of a turn as its object knows it; `update` tells it the stored record. */
type TurnSession = {
  readonly record: () => SessionRecord;
  readonly update: (record: SessionRecord) => void;
};

/** Makes a part of one turn: it claims the session, binds each attempt to it and stores the result before the run ends. */
export function takeTurn(host: TurnHost, session: TurnSession, within: (bind: (next: Part) => Part) => Part): Part {
  return async (_, request, context) => {
    const opened = openTurn(host, session.record());
    if ("code" in opened) return failedEnd(opened);
    const { claim, record } = opened;
    session.update(record);
    context.writer.session = { id: record.id, turn: record.turns + 1 };
    learnTotals(host, record);
    try {
      const targets = host.toAsk(record.targets);
      if ("failure" in targets) return failedEnd(targets.failure);
      const thread = record.keepsThread ? host.store.readThread(record) : [];
      const binding = bindTurn(record, thread);
      const part = within(binding.bind);
      const ended = await part(targets, request, { ...context, isSessionTurn: true });
      const end = asCancelled(ended, context);
      context.writer.tick();
      context.writer.flush();
      const after = recordAfter(host, record, binding, { request, result: context.resultAt(end), end, context });
      store(host, record, after, session, context);
      return end;
    } finally {
      claim.release();
    }
  };
}

/** Tells the client what the CLI has counted. A copy begins with what the original has by now, which is in the record of that. */
function learnTotals({ store, totals }: TurnHost, { cli }: SessionRecord): void {
  if (cli === undefined) return;
  const stored = cli.isFork === true ? store.list().flatMap((other) => (other.cli?.id === cli.id ? [other.cli] : [])) : [cli];
  totals.learn(
    cli.provider,
    cli.id,
    stored.flatMap((one) => one.totals ?? []),
  );
}

type OpenTurn = { readonly claim: SessionClaim; readonly record: SessionRecord };

/** Claims the session and reads its record again, because another process may have continued it. */
function openTurn({ store, ownTurns, endProcesses }: TurnHost, known: SessionRecord): OpenTurn | Failure {
  let claim: SessionClaim | undefined;
  try {
    const claimed = store.claim(known.id);
    if ("pid" in claimed) return busy(known, claimed.pid);
    claim = claimed;
    const stored = store.read(known.id);
    if (stored === undefined && known.turns > 0) {
      claim.release();
      return createFailure("session-unknown", `The session ${known.id} was removed.`, { hint: "Start a new session." });
    }
    const earlier = stored === undefined ? known : { ...stored, settings: known.settings, leftOut: known.leftOut };
    // A warm process does not know the turns that another client took.
    if (earlier.cli !== undefined && !ownTurns.wasLast(earlier)) endProcesses(earlier.cli.id);
    const record = ownTurns.begin(earlier);
    store.write(record);
    return { claim, record };
  } catch (error) {
    claim?.release();
    return unusableState(error);
  }
}

/** The failure of a session that another turn uses. */
export function busy({ id, name }: SessionRecord, pid: number): Failure {
  return createFailure("session-busy", `The session ${name ?? id} is in use by a turn of process ${pid}.`, {
    hint: "Wait for that turn to end, or fork the session.",
  });
}

/** Cancelling an attempt can make it fail in another way first. */
function asCancelled(end: RunEnd, { signal }: PartContext): RunEnd {
  const { failure } = end;
  return failure !== undefined && signal.aborted && failure.category !== "cancelled" ? cancelledEnd(failure.partialText) : end;
}

/** Failures of turns that the CLI itself has finished: its session has the message and the answer. */
const FINISHED: ReadonlySet<FailureCode> = new Set(["tool-denied", "schema-mismatch", "tool-call-unreadable", "turn-limit"]);

type TurnOutcome = {
  readonly request: RunRequest;
  readonly result: RunResult;
  readonly end: RunEnd;
  readonly context: PartContext;
};

type RecordAfter = { readonly record: SessionRecord; readonly messages?: readonly Message[] };

/** A failed turn changes only the totals. An interrupted one counts, with the text that was shown. */
function recordAfter(host: TurnHost, record: SessionRecord, binding: TurnBinding, outcome: TurnOutcome): RecordAfter {
  const { request, result, end, context } = outcome;
  const target = binding.lastTarget();
  const code = end.failure?.code;
  const isFinished = code === undefined || FINISHED.has(code);
  // The CLI's session of a failed first turn is never used again.
  if (!isFinished && binding.lastUse() === "new" && result.sessionId !== undefined) host.endProcesses(result.sessionId);
  const wasHeard = code === "interrupted" && context.writer.attempts > 0 && binding.lastUse() !== "forked";
  if (target === undefined || !(isFinished || wasHeard)) return { record: withSpent(counted(host, record), result, host.now()) };
  const { target: asked } = target;
  const model = modelOf(target);
  const about = defined({ provider: asked.provider, profile: asked.profile });
  const continued = binding.lastUse() === "resumed" ? counted(host, record).cli : undefined;
  const isStored = isFinished && capabilitiesOf(target.provider).sessions;
  const cli: CliSession | undefined =
    isStored && result.sessionId !== undefined ? withTotals(host, { ...about, id: result.sessionId }) : continued;
  const answeredBy: Target = defined({ ...about, model });
  const targets = withFirst(record.targets, answeredBy);
  return {
    record: { ...withTurn(record, result, cli, host.now()), targets, answeredBy },
    messages: [...conversationOf(request), ...answerOf(result)],
  };
}

/** The record with what the CLI has counted by now; the next turn of a copy begins with the totals of the original again. */
function counted(host: TurnHost, record: SessionRecord): SessionRecord {
  const { cli } = record;
  return cli === undefined || cli.isFork === true ? record : { ...record, cli: withTotals(host, cli) };
}

function withTotals({ totals }: TurnHost, { totals: _, ...cli }: CliSession): CliSession {
  return defined({ ...cli, totals: totals.of(cli.provider, cli.id) });
}

function answerOf({ text, failure, hostCalls }: RunResult): readonly Message[] {
  const said = text === "" ? (failure?.partialText ?? "") : text;
  if (said === "" && hostCalls === undefined) return [];
  return [defined({ role: "assistant", text: said, toolCalls: hostCalls })];
}

/** The session stays with the target that answered, so that its CLI gets only new messages. */
function withFirst(targets: Targets, { provider, model, profile }: Target): Targets {
  const isOfCli = (target: Target): boolean => target.provider === provider && target.profile === profile;
  const chosen = targets.find((target) => isOfCli(target) && target.model === model) ?? targets.find(isOfCli);
  return chosen === undefined ? targets : [chosen, ...targets.filter((target) => target !== chosen)];
}

function store(host: TurnHost, before: SessionRecord, after: RecordAfter, session: TurnSession, { writer }: PartContext): void {
  try {
    const { record, messages } = after;
    if (record === before) return;
    if (messages !== undefined && record.keepsThread) host.store.addTurn(record.id, record.turns, messages);
    host.store.write(record);
    session.update(record);
  } catch (error) {
    const message = `The turn could not be stored: ${thrownMessage(error)}.`;
    writer.write({ type: "warning", code: "session-not-stored", message });
  }
}

const MOST_SESSIONS = 1000;

/** The last turns that one client took, by session: a warm process knows these, and no turn of another client. */
export class OwnTurns {
  private readonly marks = new Map<string, string>();

  /** True if this client took the last turn of the session. */
  wasLast({ id, lastTurn }: SessionRecord): boolean {
    return lastTurn !== undefined && this.marks.get(id) === lastTurn;
  }

  /** Returns the record with the mark of a turn that begins now. */
  begin(record: SessionRecord): SessionRecord {
    const lastTurn = randomUUID();
    this.marks.delete(record.id);
    this.marks.set(record.id, lastTurn);
    const [oldest] = this.marks.keys();
    if (this.marks.size > MOST_SESSIONS && oldest !== undefined) this.marks.delete(oldest);
    return { ...record, lastTurn };
  }
}

/** The failure of a session whose files cannot be read or written. */
function unusableState(error: unknown): Failure {
  const hint = error instanceof UnusableDirectory ? { hint: error.hint } : {};
  return createFailure("state-unusable", `The session cannot be stored: ${thrownMessage(error)}.`, hint);
}

/** Returns what `use` returns; an error of the file system becomes a RunError. */
export function usingState<Value>(use: () => Value): Value {
  try {
    return use();
  } catch (error) {
    throw RunError.is(error) ? error : refusalOf(unusableState(error));
  }
}

export function refuse(code: FailureCode, message: string, details?: FailureDetails): RunError {
  return refusalOf(createFailure(code, message, details));
}
