import { resumedBy } from "../../spec/fields.ts";
import { type JsonObject, type JsonValue, nativeText, numberOf, objectOf, stringOf } from "../../spec/json.ts";
import type { PromptRequest } from "../../spec/request.ts";
import type { HostAnswer } from "../../spec/stream.ts";
import { NO_STEP } from "../../spec/wire/define-wire.ts";
import type { EventDraft } from "../../spec/wire/events.ts";
import type { Fault, Send, TurnEnd, TurnKey, Unanswered, WireStep, WireTurn } from "../../spec/wire/wire.ts";
import { rpcNotice } from "../kit/lines.ts";
import type { TakenSpare } from "../kit/spare-session.ts";
import type { AcpCli, RpcError } from "./acp-cli.ts";
import { AcpQuestions } from "./acp-questions.ts";
import { AcpUpdates } from "./acp-updates.ts";

export type AcpLink = {
  mustWait(turn: TurnKey): boolean;
  unanswered(): Unanswered | undefined;
  /** A request; its answer goes to the turn. Without a turn its answer is ignored. */
  request(turn: TurnKey | undefined, method: string, params: JsonObject): Send;
  /** The parameters that open a session, with those of the CLI. */
  sessionParameters(settings: JsonObject | undefined): JsonObject;
  /** A session that was opened for a turn like this one; an answer that is still missing goes to the turn. */
  takeSpare(turn: TurnKey, request: PromptRequest): TakenSpare | undefined;
  hasOpen(sessionId: string): boolean;
  useSession(turn: TurnKey, sessionId: string): void;
  leaveSession(sessionId: string, isKept: boolean): void;
};

/** A turn sends one request after the other; this is the one whose answer it waits for. */
type Stage = "handshake" | "session" | "prompt" | "over";

/** One turn: it opens a session, sends the prompt and reads the updates until the prompt is answered. */
export class AcpTurn implements WireTurn {
  private readonly key: TurnKey;
  private wanted: PromptRequest;
  private readonly cli: AcpCli;
  private readonly link: AcpLink;
  private updates: AcpUpdates;
  private questions: AcpQuestions;
  private stage: Stage = "handshake";
  /** The request whose answer the turn waits for. */
  private asked: RpcError["request"] = { method: "initialize", parameters: [] };
  private hasWarned = false;
  private sessionId: string | undefined;
  private isInterrupted = false;

  constructor(key: TurnKey, request: PromptRequest, cli: AcpCli, link: AcpLink) {
    this.key = key;
    this.wanted = request;
    this.cli = cli;
    this.link = link;
    this.updates = new AcpUpdates(cli);
    this.questions = new AcpQuestions(this.updates.calls);
  }

  begin(): WireStep {
    return this.link.mustWait(this.key) ? NO_STEP : this.openSession();
  }

  step(native: JsonValue): WireStep {
    const message = objectOf(native) ?? {};
    if (message["method"] === undefined) return this.readAnswer(message);
    const params = objectOf(message["params"]) ?? {};
    if (message["method"] === "session/request_permission") return this.ask(message["id"] ?? null, params);
    if (message["method"] !== "session/update") return this.warnOf(nativeText(message["method"]));
    // `session/load` repeats the conversation before it is answered.
    return this.stage === "prompt" ? this.updates.read(objectOf(params["update"]) ?? {}) : HEARTBEAT;
  }

  unanswered(): Unanswered | undefined {
    return this.link.unanswered();
  }

  answer(requestId: string, answer: HostAnswer): WireStep {
    return "behavior" in answer ? this.questions.answer(requestId, answer) : NO_STEP;
  }

  goOn(request: PromptRequest): WireStep {
    this.wanted = request;
    this.updates = new AcpUpdates(this.cli);
    this.questions = new AcpQuestions(this.updates.calls);
    return this.sendPrompt(this.sessionId);
  }

  leave(): readonly Send[] {
    if (this.sessionId === undefined) return [];
    const isKept = this.wanted.session !== undefined;
    this.link.leaveSession(this.sessionId, isKept);
    if (isKept || this.cli.closes === undefined) return [];
    return [this.link.request(undefined, this.cli.closes, { sessionId: this.sessionId })];
  }

  /** A session that is not open yet is closed as soon as it is. */
  interrupt(): WireStep {
    this.isInterrupted = true;
    if (this.stage !== "prompt") return { events: [], send: [{ text: "" }] };
    const cancel = rpcNotice("session/cancel", { sessionId: this.sessionId ?? "" });
    return { events: [], send: [cancel, ...this.questions.withdraw()] };
  }

  finish(): WireStep {
    return NO_STEP;
  }

  private readAnswer(message: JsonObject): WireStep {
    const error = readRpcError(message, this.asked);
    if (error !== undefined) return this.end(this.cli.endOf(error));
    const version = this.stage === "handshake" ? otherVersion(message) : undefined;
    if (version !== undefined) return this.end({ finish: "error", fault: version });
    const result = objectOf(message["result"]) ?? {};
    if (this.stage === "handshake") return this.openSession();
    if (this.stage === "session") return this.sendPrompt(stringOf(result["sessionId"]));
    return this.stage === "prompt" ? this.endPrompt(result) : NO_STEP;
  }

  private openSession(): WireStep {
    if (this.isInterrupted) return this.end({ finish: "cancelled" });
    const resumed = resumedBy(this.wanted);
    if (resumed !== undefined && this.link.hasOpen(resumed)) return this.sendPrompt(resumed);
    this.stage = "session";
    const params = this.link.sessionParameters(this.cli.session?.(this.wanted));
    if (resumed === undefined) return this.openNew(params);
    // Its updates name the session before the answer does.
    this.use(resumed);
    return this.asks("session/load", { ...params, sessionId: resumed });
  }

  private openNew(params: JsonObject): WireStep {
    const spare = this.link.takeSpare(this.key, this.wanted);
    if (spare === undefined) return this.asks("session/new", params);
    if (!("call" in spare)) return this.sendPrompt(spare.sessionId);
    this.asked = { method: "session/new", parameters: Object.keys(params) };
    return NO_STEP;
  }

  private sendPrompt(opened: string | undefined): WireStep {
    const sessionId = opened ?? this.sessionId;
    if (sessionId === undefined) return this.end({ finish: "error", fault: NO_SESSION });
    this.use(sessionId);
    if (this.isInterrupted) return this.end({ finish: "cancelled" });
    this.stage = "prompt";
    const prompt = this.cli.prompt?.(this.wanted) ?? { prompt: [{ type: "text", text: this.wanted.prompt }] };
    return { ...this.asks("session/prompt", { sessionId, ...prompt }), events: [{ type: "session-start", sessionId }] };
  }

  private endPrompt(result: JsonObject): WireStep {
    const { events, turnEnd } = this.updates.end(result);
    return this.end(turnEnd, events);
  }

  /** In completion mode the CLI has no tools, so that a question is denied without the host. */
  private ask(id: JsonValue, params: JsonObject): WireStep {
    return this.questions.ask(id, params, this.wanted.mode === "agent");
  }

  /** The connection has answered the request, with an error. Other unknown requests say nothing about the answer. */
  private warnOf(method: string): WireStep {
    if (this.hasWarned || !/^(?:fs|terminal)\//.test(method)) return HEARTBEAT;
    this.hasWarned = true;
    const message = `The CLI asked for ${method}, which Coxswain does not offer: an agent reads, writes and runs by itself.`;
    return { events: [{ type: "warning", code: "request-unsupported", message }] };
  }

  private end(turnEnd: TurnEnd, events: readonly EventDraft[] = []): WireStep {
    this.stage = "over";
    return { events, turnEnd };
  }

  private use(sessionId: string): void {
    this.sessionId = sessionId;
    this.link.useSession(this.key, sessionId);
  }

  private asks(method: string, params: JsonObject): WireStep {
    this.asked = { method, parameters: Object.keys(params) };
    return { events: [], send: [this.link.request(this.key, method, params)] };
  }
}

const HEARTBEAT: WireStep = { events: [], isHeartbeat: true };

const NO_SESSION: Fault = { message: "The CLI answered session/new without a session id." };

/** The version of the protocol that this wire speaks. */
export const VERSION = 1;

/** The fault of a handshake that was answered with another version; an answer without a number is taken. */
export function otherVersion({ result }: JsonObject): Fault | undefined {
  const version = numberOf(objectOf(result)?.["protocolVersion"]);
  if (version === undefined || version === VERSION) return undefined;
  const message = `The CLI speaks version ${version} of the Agent Client Protocol, and Coxswain version ${VERSION}.`;
  return { kind: "protocol-version", message };
}

function readRpcError(message: JsonObject, request: RpcError["request"]): RpcError | undefined {
  const error = objectOf(message["error"]);
  if (error === undefined) return undefined;
  const data = objectOf(error["data"]);
  const details = stringOf(error["data"]) ?? stringOf(data?.["details"]) ?? stringOf(data?.["message"]);
  return {
    code: numberOf(error["code"]) ?? 0,
    message: stringOf(error["message"]) ?? "The CLI reported an error.",
    ...(details !== undefined && { details }),
    request,
    event: error,
  };
}
