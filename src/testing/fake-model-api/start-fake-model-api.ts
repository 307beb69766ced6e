import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { objectOf } from "../../spec/json.ts";
import { fillMark } from "../call-mark.ts";
import { anthropicMessages } from "./anthropic.ts";
import type { FakeAnswer, FakeAnswers } from "./fake-answer.ts";
import { type FakeApiRequest, readFakeApiRequest, toFakeApiRequest } from "./fake-api-request.ts";
import type { FakeProtocol, NextId } from "./fake-protocol.ts";
import { gemini } from "./gemini.ts";
import { openaiChat } from "./openai-chat.ts";
import { openaiResponses } from "./openai-responses.ts";
import { type Exchange, sendAnswer, sendJson } from "./send-answer.ts";

/** A model API on the loopback interface with scripted answers. */
export type FakeModelApi = AsyncDisposable & {
  /** `http://127.0.0.1:<port>`, without a path. */
  readonly url: string;
  /** Every request, in the order in which they were read. */
  readonly requests: readonly FakeApiRequest[];
  /** The requests that asked the model. */
  readonly modelRequests: readonly FakeApiRequest[];
  /** Uses these answers from the next request on, beginning with the first. */
  answerWith(answers: FakeAnswers): void;
  /** Destroys every connection and goes on listening; what a client has read by then it keeps. */
  cutConnections(): void;
  close(): Promise<void>;
};

export type FakeApiProtocol = "anthropic-messages" | "openai-responses" | "openai-chat" | "gemini";

const protocols: Readonly<Record<FakeApiProtocol, FakeProtocol>> = {
  "anthropic-messages": anthropicMessages,
  "openai-responses": openaiResponses,
  "openai-chat": openaiChat,
  gemini,
};

/** Starts a fake API with the protocol of a vendor; by default it answers every model request with a short text. */
export async function startFakeModelApi(
  protocol: FakeApiProtocol,
  answers: FakeAnswers = { kind: "text", text: "Hello from the fake model." },
): Promise<FakeModelApi> {
  const api = new Api(protocols[protocol], answers);
  await api.listen();
  return api;
}

/** Fills in the mark of the request's prompt, as docs/host-tools.md describes it. */
function withMark(answer: FakeAnswer, { rawBody }: FakeApiRequest): FakeAnswer {
  const text = JSON.stringify(answer);
  const filled = fillMark(text, rawBody);
  return filled === text ? answer : JSON.parse(filled);
}

class Api implements FakeModelApi {
  readonly requests: FakeApiRequest[] = [];
  readonly modelRequests: FakeApiRequest[] = [];
  url = "";
  private readonly protocol: FakeProtocol;
  private answers: Exclude<FakeAnswers, FakeAnswer> = [];
  private answered = 0;
  private ids = 0;
  private closed: Promise<void> | undefined;
  private readonly sockets = new Set<Socket>();
  private readonly pending = new Set<Promise<void>>();
  private readonly server = createServer((incoming, response) => this.start(incoming, response));

  constructor(protocol: FakeProtocol, answers: FakeAnswers) {
    this.protocol = protocol;
    this.answerWith(answers);
    // Idle connections stay open: a client could otherwise send a request while the server closes the connection.
    this.server.keepAliveTimeout = 0;
    this.server.on("upgrade", (incoming: IncomingMessage, socket: Duplex) => this.refuseUpgrade(incoming, socket));
    this.server.on("connection", (socket) => {
      this.sockets.add(socket);
      socket.once("close", () => this.sockets.delete(socket));
    });
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => this.server.once("error", reject).listen(0, "127.0.0.1", resolve));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  answerWith(answers: FakeAnswers): void {
    const list = typeof answers === "function" ? answers : "kind" in answers ? [answers] : [...answers];
    if (list.length === 0 && typeof list !== "function") throw new TypeError("a fake model API needs at least one answer");
    this.answers = list;
    this.answered = 0;
  }

  close(): Promise<void> {
    this.closed ??= this.end();
    return this.closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  cutConnections(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  private async end(): Promise<void> {
    const ended = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.cutConnections();
    await ended;
    await Promise.all(this.pending);
  }

  private start(incoming: IncomingMessage, response: ServerResponse): void {
    const done = this.handle(incoming, response).finally(() => this.pending.delete(done));
    this.pending.add(done);
  }

  private async handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    response.on("error", () => gone.abort());
    const { protocol } = this;
    try {
      const request = await readFakeApiRequest(incoming);
      this.requests.push(request);
      const exchange = { protocol, request, made: protocol.respond(request, this.nextId), response, signal: gone.signal };
      await this.answer(exchange);
    } catch (error) {
      if (gone.signal.aborted || response.headersSent) return void response.destroy();
      response.writeHead(500, { "content-type": "text/plain", "x-should-retry": "false" }).end(String(error));
    }
  }

  private async answer(exchange: Exchange): Promise<void> {
    const { protocol, request, response } = exchange;
    if (request.method === "HEAD") return void response.writeHead(200).end();
    if (request.method !== "POST" || !protocol.modelPath.test(request.path)) {
      const aside = protocol.answerAside?.(request);
      if (aside !== undefined) return sendJson(200, aside, exchange);
      return sendJson(404, protocol.toErrorBody(404, `Not found: ${request.method} ${request.path}`), exchange);
    }
    if (objectOf(request.body) === undefined) {
      return sendJson(400, protocol.toErrorBody(400, "The body is not a JSON object."), exchange);
    }
    this.modelRequests.push(request);
    await sendAnswer(withMark(this.choose(request), request), exchange);
  }

  private choose(request: FakeApiRequest): FakeAnswer {
    const index = this.answered++;
    if (typeof this.answers === "function") return this.answers(request, index);
    const answer = this.answers[Math.min(index, this.answers.length - 1)];
    if (answer === undefined) throw new TypeError("no answer left");
    return answer;
  }

  private refuseUpgrade(incoming: IncomingMessage, socket: Duplex): void {
    this.requests.push(toFakeApiRequest(incoming, ""));
    socket.on("error", () => socket.destroy());
    socket.end("HTTP/1.1 426 Upgrade Required\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
  }

  private readonly nextId: NextId = (prefix, length) => prefix + String(++this.ids).padStart(length - prefix.length, "0");
}
