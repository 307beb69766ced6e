import { chmodSync, rmSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import type { Client } from "../../client.ts";
import { AnswerFacts } from "../../doors/answer-part.ts";
import type { RequestLimits } from "../../gateway/gateway-options.ts";
import { BodyBytes, type HeldBody } from "../../gateway/read-json-body.ts";
import { type RequestEntry, RequestRecord } from "../../gateway/request-record.ts";
import type { JsonObject } from "../../spec/json.ts";
import { targetName } from "../../spec/request.ts";
import type { RunStream } from "../../spec/stream.ts";
import { type AskLine, isPlain, onJsonLine, sendLine } from "./ask-line.ts";

export type AskHost = {
  readonly client: Client;
  /** The digest of what decides about the answers of these CLIs. */
  readonly environment: (providers: readonly string[]) => string;
  readonly retries: number;
  /** The limits of questions, as of the bodies of requests. */
  readonly limits: Required<Pick<RequestLimits, "bodyBytes" | "bodiesBytes" | "bodyMs">>;
  /** Gets an entry for each question when its answer has ended. */
  readonly onRequest: (entry: RequestEntry) => void;
};

export type ServedAsks = {
  /** Takes no new question, waits for the answers in progress, and cancels them after this time. */
  close(drainMs: number): Promise<void>;
};

type OpenAsk = {
  readonly socket: Socket;
  readonly held: HeldBody;
  /** True while the run of its question has not asked a CLI. */
  isWaiting?: boolean;
};

/** Answers `cox ask` of the same user over a private socket; undefined if another server does so already. */
export async function serveAsks(path: string, host: AskHost): Promise<ServedAsks | undefined> {
  if (await isTaken(path)) return undefined;
  if (process.platform !== "win32") rmSync(path, { force: true });
  const asks = new Set<OpenAsk>();
  const { bodyBytes, bodiesBytes } = host.limits;
  const questions = new BodyBytes(Math.max(bodyBytes, bodiesBytes));
  const server = createServer((socket) => {
    const ask: OpenAsk = { socket, held: questions.open() };
    asks.add(ask);
    socket.once("close", () => {
      ask.held.release();
      asks.delete(ask);
    });
    answerSocket(ask, host, () => !server.listening);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, resolve);
  });
  // The folder is private already; the mode says the same of the socket.
  if (process.platform !== "win32") chmodSync(path, 0o600);
  return { close: (drainMs) => closeServer(server, asks, drainMs) };
}

async function isTaken(path: string): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = connect(path);
    const answer = (isThere: boolean) => () => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once("connect", answer(true)).once("error", answer(false));
  });
}

async function closeServer(server: Server, asks: ReadonlySet<OpenAsk>, drainMs: number): Promise<void> {
  const end = (isEnded: (ask: OpenAsk) => boolean): void => {
    for (const ask of [...asks].filter(isEnded)) ask.socket.destroy();
  };
  const deadline = setTimeout(() => end(() => true), drainMs);
  const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
  // Questions that wait for a place would start runs.
  end(({ isWaiting }) => isWaiting === true);
  await closed;
  clearTimeout(deadline);
}

function answerSocket(ask: OpenAsk, host: AskHost, isClosing: () => boolean): void {
  const { socket } = ask;
  let run: RunStream | undefined;
  // Also ends a connection that was refused and stays open.
  const late = setTimeout(() => socket.destroy(), host.limits.bodyMs);
  socket.on("error", () => socket.destroy());
  socket.once("close", () => {
    clearTimeout(late);
    run?.interrupt();
  });
  const act = (line: JsonObject): void => {
    // After a refusal nothing more is read.
    if (!socket.writable) return;
    if (run !== undefined) return run.interrupt();
    const asked = isClosing() ? "it is closing" : readAsk(line, host);
    if (typeof asked === "string") return refuse(socket, asked);
    run = startRun(asked, host);
    if (run === undefined) return refuse(socket, "the request is invalid");
    clearTimeout(late);
    ask.isWaiting = true;
    sendLine(socket, { accepted: true });
    const record = new RequestRecord("cox", "ask", host.onRequest);
    record.asks(asked.targets.map(targetName).join(","));
    sendRun(ask, run, record).catch(() => socket.destroy());
  };
  onJsonLine(socket, { act, takes: (bytes) => takesBytes(ask, bytes, host) });
}

function refuse(socket: Socket, why: string): void {
  socket.end(`${JSON.stringify({ refused: why })}\n`);
}

/** Undefined for a wrong type: the terminal's own run says which. */
function startRun({ targets, request, commit }: AskLine, { client }: AskHost): RunStream | undefined {
  try {
    return client.run(targets, request, commit === undefined ? {} : { commit });
  } catch {
    return undefined;
  }
}

/** False, with a refusal, if the connection or all of them have sent too many bytes. */
function takesBytes({ socket, held }: OpenAsk, bytes: number, { limits: { bodyBytes } }: AskHost): boolean {
  const isTooLong = held.bytes + bytes > bodyBytes;
  if (!isTooLong && held.take(bytes) === undefined) return true;
  refuse(socket, isTooLong ? `the question has more than ${bodyBytes} bytes` : "its questions in progress have too many bytes");
  held.release();
  return false;
}

/** The question, or why this server does not answer it. */
function readAsk(line: JsonObject, { client, environment, retries }: AskHost): AskLine | string {
  if (!isPlain(client, line)) return "it answers plain questions only";
  // A terminal of the same user and version wrote the line, and the client checks the types.
  const asked = line as unknown as AskLine;
  if (line["environment"] !== environment(asked.targets.map(({ provider }) => provider)))
    return "its environment or version differs";
  return line["retries"] === retries ? asked : "its --retries differs";
}

/** A terminal that reads slowly holds back nothing but itself: the run stores what it has not read. */
async function sendRun(ask: OpenAsk, run: RunStream, record: RequestRecord): Promise<void> {
  const { socket } = ask;
  const facts = new AnswerFacts();
  for await (const events of run.batches()) {
    for (const event of events) facts.see(event);
    ask.isWaiting = facts.answering.attempt === 0;
    if (!sendLine(socket, { events })) await untilRead(socket);
    if (socket.destroyed) break;
  }
  socket.end();
  const result = await run.outcome();
  record.answered(facts.answering, result);
  record.end(result.failure?.replyStatus ?? 200);
}

async function untilRead(socket: Socket): Promise<void> {
  if (socket.destroyed) return;
  await new Promise<void>((resolve) => {
    const goOn = (): void => {
      socket.off("drain", goOn).off("close", goOn);
      resolve();
    };
    socket.on("drain", goOn).on("close", goOn);
  });
}
