import { connect, type Socket } from "node:net";
import { DEFAULT_SPILL_BYTES } from "../../request/defaults.ts";
import { BatchQueue } from "../../run/batch-queue.ts";
import { Collector } from "../../run/collect.ts";
import { cancelledEnd, failedEnd } from "../../run/part.ts";
import { createRunStream } from "../../run/run-stream.ts";
import { createFailure, thrownMessage } from "../../spec/failure/failure.ts";
import type { JsonObject } from "../../spec/json.ts";
import { defined } from "../../spec/json.ts";
import type { RunResult } from "../../spec/result.ts";
import type { RunContext, RunStream } from "../../spec/stream.ts";
import type { RunEnd, RunEvent } from "../../spec/wire/events.ts";
import type { LocalClient } from "../open-client.ts";
import { type AskLine, isPlain, onJsonLine, sendLine, socketPath } from "./ask-line.ts";
import { environmentDigest } from "./environment-digest.ts";

type AskedServer = {
  readonly path: string;
  readonly line: AskLine;
  readonly signal: AbortSignal;
  readonly alone: () => Promise<RunStream>;
  readonly onWay: (words: string) => void;
};

/** A server that has not said within this time whether it answers is left alone. */
const ACCEPT_MS = 1000;
/** How long the server has to end a cancelled run. */
const CANCEL_MS = 5000;

/** Events that show nothing: until another one comes, the run can begin again in this process. */
const SILENT: readonly RunEvent["type"][] = ["run-start", "attempt-start", "session-start", "usage", "native"];

/**
 * Asks the running `cox serve`. If there is none, if it refuses, or if it fails before anything could be shown, the question runs in this
 * process. The stream is that of the run, whichever way it goes.
 */
function askServer(asked: AskedServer): RunStream {
  const ask = new RemoteAsk(asked);
  return createRunStream({
    next: () => ask.next(),
    discard: () => ask.discard(),
    cancel: () => ask.cancel(),
    done: ask.done,
  });
}

class RemoteAsk {
  readonly done: Promise<RunResult>;
  private readonly queue = new BatchQueue(DEFAULT_SPILL_BYTES);
  private readonly asked: AskedServer;
  private readonly socket: Socket;
  private readonly collector = new Collector(false);
  private readonly acceptance: NodeJS.Timeout;
  private cancelling: NodeJS.Timeout | undefined;
  private settle: (result: RunResult | Promise<RunResult>) => void = () => {};
  /** Events that wait for the first that shows something. */
  private held: (readonly RunEvent[])[] | undefined = [];
  private last: RunEvent | undefined;
  private own: RunStream | undefined;
  private batches: AsyncIterator<readonly RunEvent[]> | undefined;
  private isDiscarded = false;
  private isCancelled = false;
  private isOver = false;

  constructor(asked: AskedServer) {
    this.asked = asked;
    this.done = new Promise((resolve) => {
      this.settle = resolve;
    });
    this.socket = connect(asked.path);
    this.acceptance = setTimeout(() => this.lose("it does not answer"), ACCEPT_MS);
    this.socket.once("connect", () => void sendLine(this.socket, asked.line));
    this.socket.on("error", () => this.lose("none is running")).once("close", () => this.lose("it ended"));
    onJsonLine(this.socket, { act: (line) => this.read(line) });
    asked.signal.addEventListener("abort", this.onAbort);
    if (asked.signal.aborted) this.cancel();
  }

  /** The next events of the server, or else of the run in this process. */
  async next(): Promise<readonly RunEvent[] | undefined> {
    const batch = await this.queue.next();
    if (batch !== undefined || this.own === undefined || this.isDiscarded) return batch;
    this.batches ??= this.own.batches()[Symbol.asyncIterator]();
    const { value } = await this.batches.next();
    return value;
  }

  discard(): void {
    this.isDiscarded = true;
    this.queue.discard();
    if (this.batches !== undefined) void this.batches.return?.();
    else this.dropOwn();
  }

  cancel(): void {
    this.isCancelled = true;
    if (this.own !== undefined) return this.own.interrupt();
    if (this.isOver || this.cancelling !== undefined) return;
    sendLine(this.socket, { interrupt: true });
    this.cancelling = setTimeout(() => this.lose("it does not answer"), CANCEL_MS);
  }

  private readonly onAbort = (): void => this.cancel();

  private read(line: JsonObject): void {
    if (typeof line["refused"] === "string") return this.lose(line["refused"]);
    clearTimeout(this.acceptance);
    if (line["accepted"] === true) return this.asked.onWay("asked the running cox serve");
    // The server is this version of Coxswain, so its lines have events.
    const events = line["events"] as unknown as readonly RunEvent[];
    if (this.isOver || !Array.isArray(events)) return;
    const end = events.find((event) => event.type === "run-end");
    // What the server remembers, such as a full queue or a limit that it met, need not hold for a run of its own.
    if (end?.failure !== undefined && !this.hasAttempt(events)) return this.lose("it asks no CLI now");
    this.take(events);
    if (end !== undefined) this.finish();
  }

  private hasAttempt(events: readonly RunEvent[]): boolean {
    return this.held === undefined || [...this.held, events].flat().some(({ type }) => type === "attempt-start");
  }

  private take(events: readonly RunEvent[]): void {
    for (const event of events) this.collector.add(event);
    this.last = events.at(-1) ?? this.last;
    if (this.held === undefined) return this.queue.push(events);
    this.held.push(events);
    if (events.every(({ type }) => SILENT.includes(type))) return;
    for (const batch of this.held) this.queue.push(batch);
    this.held = undefined;
  }

  /** The server is gone: runs the question here, or ends an answer of which a part was shown. */
  private lose(why: string): void {
    if (this.isOver) return;
    if (this.cancelling !== undefined) return this.endWith(cancelledEnd());
    if (this.held === undefined)
      return this.endWith(failedEnd(createFailure("connection-lost", "cox serve ended during the answer.")));
    this.leave();
    this.asked.onWay(`runs alone, without cox serve: ${why}`);
    this.settle(this.runAlone());
  }

  private async runAlone(): Promise<RunResult> {
    try {
      this.own = await this.asked.alone();
    } catch (error) {
      const failure = createFailure("unclassified", `The question could not be asked: ${thrownMessage(error)}`);
      this.endWith(failedEnd(failure));
      return this.collector.result();
    }
    this.queue.end();
    if (this.isCancelled) this.own.interrupt();
    if (this.isDiscarded) this.dropOwn();
    return await this.own.outcome();
  }

  /** A run whose result alone is read keeps no events. */
  private dropOwn(): void {
    this.own?.result().catch(() => undefined);
  }

  private endWith(end: Omit<RunEnd, "seq" | "atMs">): void {
    const { seq = -1, atMs = 0 } = this.last ?? {};
    // An end that the server did not send shows something: the failure.
    this.take([{ ...end, seq: seq + 1, atMs } as RunEvent]);
    this.finish();
  }

  private finish(): void {
    this.leave();
    this.queue.end();
    this.settle(this.collector.result());
  }

  private leave(): void {
    this.isOver = true;
    clearTimeout(this.acceptance);
    clearTimeout(this.cancelling);
    this.asked.signal.removeEventListener("abort", this.onAbort);
    this.socket.destroy();
  }
}

export type QuestionContext = RunContext & {
  readonly signal: AbortSignal;
  readonly onWay: (words: string) => void;
};

/**
 * Runs a question on the warm processes of a running `cox serve` of the same user, or in this process if it cannot go there: an agent,
 * MCP servers and CLIs of a configuration file belong to this terminal.
 */
export async function askRunningServer(
  local: LocalClient,
  question: Pick<AskLine, "targets" | "request" | "retries">,
  { onWay, ...context }: QuestionContext,
): Promise<RunStream> {
  const { targets, request, retries } = question;
  const alone = async (): Promise<RunStream> => (await local.open()).run(targets, request, context);
  const path = process.env["COXSWAIN_SERVE"] === "off" || !isPlain(local.names, question) ? undefined : socketPath();
  if (path === undefined) return await alone();
  const { signal, commit } = context;
  const ids = targets.map(({ provider }) => provider);
  const environment = environmentDigest(process.env, ids);
  const line = defined({ environment, retries, targets, request, commit });
  return askServer({ path, line, signal, alone, onWay });
}
