import { findProvider, type ResolvedTargets, targetsOf } from "../request/targets.ts";
import { failedEnd, type SessionPart } from "../run/part.ts";
import { createFailure, type Failure } from "../spec/failure/failure.ts";
import { refusalOf } from "../spec/failure/run-error.ts";
import { checkNames } from "../spec/fields.ts";
import { defined, type JsonValue } from "../spec/json.ts";
import type { Message } from "../spec/message.ts";
import type { Provider } from "../spec/provider/provider.ts";
import type { RunInput, Target, TargetChoice, Targets } from "../spec/request.ts";
import type { RunResult } from "../spec/result.ts";
import type { CliSession, Session, SessionInput, SessionRecord, SessionSettings } from "../spec/session.ts";
import type { RunContext, RunStream } from "../spec/stream.ts";
import { newRecordId } from "./session-record.ts";
import { busy, refuse, type TurnHost, takeTurn, usingState } from "./session-turn.ts";

export type SessionHost = TurnHost & {
  readonly providers: readonly Provider[];
  readonly resolve: (targets: TargetChoice | readonly TargetChoice[]) => ResolvedTargets | Failure;
  /** Starts a run of a request; `session` is put around its policies, and gets a way to wrap each of its attempts. */
  readonly open: (targets: Targets, input: RunInput, context: RunContext, session: SessionPart) => RunStream;
};

type OpenOptions = {
  readonly record: SessionRecord;
  /** The settings of each turn, with those that are not stored. */
  readonly settings: SessionSettings;
  /** Why no turn can begin, such as a wrong directory. */
  readonly refusal?: Failure | undefined;
  /** True for a record that cannot be used: it is left as it is stored. */
  readonly isDamaged?: true;
};

const CLOSED: Failure = createFailure("interrupted", "The session is closed, so the message was not sent.", {
  hint: "Open the session again with client.resume.",
});

/** Starts nothing and stores nothing before its first message. */
export class OpenedSession implements Session {
  readonly id: string;
  private readonly host: SessionHost;
  private readonly options: OpenOptions;
  private known: SessionRecord;
  /** The turns in progress: one, and those that are being refused. */
  private readonly open = new Set<RunStream>();
  private isClosed = false;

  constructor(host: SessionHost, options: OpenOptions) {
    this.host = host;
    this.options = options;
    this.known = options.record;
    this.id = options.record.id;
  }

  get record(): SessionRecord {
    return this.known;
  }

  messages(): readonly Message[] {
    return this.host.store.readThread(this.refreshed());
  }

  async send<Output = JsonValue>(input: SessionInput<Output>, context?: RunContext): Promise<RunResult<Output>> {
    return await this.stream(input, context).result();
  }

  stream<Output = JsonValue>(input: SessionInput<Output>, context: RunContext = {}): RunStream<Output> {
    const request = this.toRequest(input);
    const refusal = this.isClosed ? CLOSED : this.options.refusal;
    const update = (record: SessionRecord): void => {
      this.known = record;
    };
    const session = { record: () => this.known, update };
    const part: SessionPart = (within) =>
      refusal === undefined ? takeTurn(this.host, session, within) : async () => failedEnd(refusal);
    const stream = this.host.open(this.known.targets, request, { ...context, keepsProcess: true }, part);
    this.open.add(stream);
    void stream.outcome().then(() => this.open.delete(stream));
    return stream as RunStream<never>;
  }

  interrupt(): void {
    for (const stream of this.open) stream.interrupt();
  }

  fork(options: { readonly name?: string } = {}): Session {
    checkNames("fork", options, { name: true });
    this.refuseDamaged();
    const record = usingState(() => forkSession(this.host, this.refreshed(), options.name));
    return new OpenedSession(this.host, { ...this.options, record });
  }

  handOver(choice: TargetChoice | readonly TargetChoice[]): void {
    const found = this.host.resolve(choice);
    if ("code" in found) throw refusalOf(found);
    this.refuseDamaged();
    usingState(() => this.changeTargets(targetsOf(found)));
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.interrupt();
    await Promise.all([...this.open].map((stream) => stream.outcome()));
    if (this.known.cli !== undefined) this.host.endProcesses(this.known.cli.id);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  private refuseDamaged(): void {
    const { isDamaged, refusal } = this.options;
    if (isDamaged === true && refusal !== undefined) throw refusalOf(refusal);
  }

  private changeTargets(targets: Targets): void {
    const { store } = this.host;
    const claim = store.claim(this.id);
    if ("pid" in claim) throw refusalOf(busy(this.known, claim.pid));
    try {
      const stored = store.read(this.id);
      const { cli, ...record } = this.withOwnSettings(stored);
      const isKept = cli !== undefined && this.changesModelOnly(cli, record.targets[0], targets[0]);
      if (!isKept && record.turns > 0 && !record.keepsThread)
        throw refuse("option-unsupported", "The thread of this session is not stored, so it cannot be handed over.", {
          hint: "Start the session with keepThread.",
        });
      if (!isKept && cli !== undefined) this.host.endProcesses(cli.id);
      this.known = { ...record, targets, ...(isKept && { cli }) };
      if (stored !== undefined) store.write(this.known);
    } finally {
      claim.release();
    }
  }

  private refreshed(): SessionRecord {
    this.known = this.withOwnSettings(this.host.store.read(this.id));
    return this.known;
  }

  /** The stored record with the settings of this object, which `resume` may have changed. */
  private withOwnSettings(stored: SessionRecord | undefined): SessionRecord {
    const { settings, leftOut } = this.known;
    return stored === undefined ? this.known : { ...stored, settings, leftOut };
  }

  /** True if the target is the CLI of the session with another model; the same target again begins a new session of the CLI. */
  private changesModelOnly(cli: CliSession, current: Target, target: Target): boolean {
    return cli.provider === target.provider && cli.profile === target.profile && target.model !== current.model;
  }

  private toRequest(input: SessionInput): RunInput {
    const turn = typeof input === "string" ? { prompt: input } : input;
    if (typeof turn !== "object" || turn === null) throw new TypeError("A message is a string or an object with a prompt.");
    if ("session" in turn) throw new TypeError("A message of a session has no field session.");
    const { settings } = this.options;
    return { ...settings, ...(settings.mode === "agent" && { cwd: this.known.cwd }), ...turn };
  }
}

/** Stores a copy of a session under a new id and returns its record; throws a RunError if the copy could not be continued. */
function forkSession(host: SessionHost, original: SessionRecord, name: string | undefined): SessionRecord {
  const { store, now } = host;
  const { id, name: _, cli, usage: __, costUsd: ___, ...rest } = original;
  if (name !== undefined && store.find(name) !== undefined)
    throw refuse("session-invalid", `There is already a session with the name ${JSON.stringify(name)}.`, {
      hint: "Choose another name.",
    });
  const canFork = cli !== undefined && findProvider(host, cli.provider)?.options.includes("session-fork") === true;
  if (!canFork && original.turns > 0 && !original.keepsThread)
    throw refuse("option-unsupported", `The CLI cannot fork the session ${id}, and its thread is not stored.`, {
      hint: "Start the session with keepThread.",
    });
  const time = new Date(now()).toISOString();
  const fork: SessionRecord = {
    ...rest,
    id: newRecordId(name),
    ...defined({ name }),
    ...(canFork && { cli: { ...cli, isFork: true } }),
    createdAt: time,
    updatedAt: time,
  };
  if (original.turns === 0) return fork;
  if (original.keepsThread) store.addTurn(fork.id, fork.turns, store.readThread(original));
  store.write(fork);
  return fork;
}
