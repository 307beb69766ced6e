import { chmodSync, rmSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import type { Client } from "../../client.ts";
import { targetName } from "../../compare/compare-targets.ts";
import { AnswerFacts } from "../../doors/answer-facts.ts";
import { type RequestEntry, RequestRecord } from "../../gateway/request-record.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { RunStream } from "../../spec/stream.ts";
import type { AskLine } from "./ask-line.ts";
import { onJsonLine, sendLine } from "./json-lines.ts";
import { isPlain } from "./plain-question.ts";

/** What answers the questions of terminals. */
export type AskHost = {
  readonly client: Client;
  readonly surroundings: string;
  readonly retries: number;
  /** Gets an entry for each question when its answer has ended. */
  readonly onRequest: (entry: RequestEntry) => void;
};

/** A socket for the user's own terminals. */
export type ServedAsks = {
  /** Takes no new question, waits for the answers in progress, and cancels them after this time. */
  close(drainMs: number): Promise<void>;
};

/** Answers `cox ask` of the same user over a private socket; undefined if another server does so already. */
export async function serveAsks(path: string, host: AskHost): Promise<ServedAsks | undefined> {
  if (await isTaken(path)) return undefined;
  if (process.platform !== "win32") rmSync(path, { force: true });
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    answerSocket(socket, host);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, resolve);
  });
  // The folder is private already; the mode says the same of the socket.
  if (process.platform !== "win32") chmodSync(path, 0o600);
  return { close: (drainMs) => closeServer(server, sockets, drainMs) };
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

async function closeServer(server: Server, sockets: ReadonlySet<Socket>, drainMs: number): Promise<void> {
  const deadline = setTimeout(() => {
    for (const socket of sockets) socket.destroy();
  }, drainMs);
  await new Promise<void>((resolve) => void server.close(() => resolve()));
  clearTimeout(deadline);
}

function answerSocket(socket: Socket, host: AskHost): void {
  let run: RunStream | undefined;
  socket.on("error", () => socket.destroy());
  socket.once("close", () => run?.interrupt());
  onJsonLine(socket, (line) => {
    // After a refusal nothing more is read.
    if (!socket.writable) return;
    if (run !== undefined) return run.interrupt();
    const asked = readAsk(line, host);
    if (typeof asked === "string") return void socket.end(`${JSON.stringify({ refused: asked })}\n`);
    try {
      run = host.client.run(asked.targets, asked.request, asked.commit === undefined ? {} : { commit: asked.commit });
    } catch {
      // A wrong type: the terminal's own run says which.
      return void socket.end(`${JSON.stringify({ refused: "the request is invalid" })}\n`);
    }
    sendLine(socket, { accepted: true });
    const record = new RequestRecord("cox", "ask", host.onRequest);
    record.asks(asked.targets.map(targetName).join(","));
    void sendRun(socket, run, record);
  });
}

/** The question, or why this server does not answer it. */
function readAsk(line: JsonObject, { client, surroundings, retries }: AskHost): AskLine | string {
  if (line["surroundings"] !== surroundings) return "its environment or version differs";
  if (line["retries"] !== retries) return "its --retries differs";
  if (!isPlain(client, line)) return "it answers plain questions only";
  // A terminal of the same user and version wrote the line, and the client checks the types.
  return line as unknown as AskLine;
}

/** A terminal that reads slowly holds back nothing but itself: the run stores what it has not read. */
async function sendRun(socket: Socket, run: RunStream, record: RequestRecord): Promise<void> {
  const facts = new AnswerFacts();
  for await (const events of run.batches()) {
    for (const event of events) facts.see(event);
    if (!sendLine(socket, { events })) await untilRead(socket);
    if (socket.destroyed) break;
  }
  socket.end();
  const result = await run.outcome();
  record.answered(facts.answering, result);
  record.end(result.failure?.replyStatus ?? 200);
}

/** Waits until the terminal has read what was sent, or is gone. */
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
