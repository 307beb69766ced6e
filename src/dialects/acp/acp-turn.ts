import { type JsonObject, type JsonValue, listOf, numberOf, objectOf, stringOf } from "../../spec/json.ts";
import { type PromptRequest, resumedBy } from "../../spec/request.ts";
import type { HostAnswer, PermissionAnswer, PermissionQuestion } from "../../spec/stream.ts";
import { NO_STEP } from "../../spec/wire/define-wire.ts";
import type { EventDraft } from "../../spec/wire/events.ts";
import type { Fault, Send, TurnEnd, TurnKey, WireStep, WireTurn } from "../../spec/wire/wire.ts";
import { rpcAnswer, rpcNotice } from "../kit/lines.ts";
import type { TakenSpare } from "../kit/spare-session.ts";
import type { AcpCalls } from "./acp-calls.ts";
import type { AcpCli, RpcError } from "./acp-cli.ts";
import { AcpUpdates } from "./acp-updates.ts";

export type AcpLink = {
  mustWait(turn: TurnKey): boolean;
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
    if (message["method"] !== "session/update") return this.ask(message["id"] ?? null, params);
    // `session/load` repeats the conversation before it is answered.
    return this.stage === "prompt" ? this.updates.read(objectOf(params["update"]) ?? {}) : HEARTBEAT;
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
    const error = readRpcError(message);
    if (error !== undefined) return this.end(this.cli.endOf(error));
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
    return "call" in spare ? NO_STEP : this.sendPrompt(spare.sessionId);
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

  private end(turnEnd: TurnEnd, events: readonly EventDraft[] = []): WireStep {
    this.stage = "over";
    return { events, turnEnd };
  }

  private use(sessionId: string): void {
    this.sessionId = sessionId;
    this.link.useSession(this.key, sessionId);
  }

  private asks(method: string, params: JsonObject): WireStep {
    return { events: [], send: [this.link.request(this.key, method, params)] };
  }
}

const HEARTBEAT: WireStep = { events: [], isHeartbeat: true };

const NO_SESSION: Fault = { message: "The CLI answered session/new without a session id." };

function readRpcError(message: JsonObject): RpcError | undefined {
  const error = objectOf(message["error"]);
  if (error === undefined) return undefined;
  const data = objectOf(error["data"]);
  const details = stringOf(error["data"]) ?? stringOf(data?.["details"]) ?? stringOf(data?.["message"]);
  return {
    code: numberOf(error["code"]) ?? 0,
    message: stringOf(error["message"]) ?? "The CLI reported an error.",
    ...(details !== undefined && { details }),
    event: error,
  };
}

type Question = PermissionQuestion & { readonly id: JsonValue; readonly callId: string; readonly options: readonly JsonObject[] };

/** The answer names one of the options that the CLI offers, by its kind. */
class AcpQuestions {
  private readonly calls: AcpCalls;
  private readonly open = new Map<string, Question>();

  constructor(calls: AcpCalls) {
    this.calls = calls;
  }

  /** Asks the host, or denies the call if no host is asked. */
  ask(id: JsonValue, params: JsonObject, isAsked: boolean): WireStep {
    const events: EventDraft[] = [];
    const { id: callId, name, input, isDescription } = this.calls.announce(objectOf(params["toolCall"]) ?? {}, events);
    const options = listOf(params["options"]).map((option) => objectOf(option) ?? {});
    const question: Question = { requestId: JSON.stringify(id), name, input, id, callId, options };
    this.open.set(question.requestId, question);
    if (!isAsked) {
      const { send, events: denied } = this.answer(question.requestId, { behavior: "deny", message: "" });
      return { events: [...events, ...denied], ...(send !== undefined && { send }) };
    }
    const asked = { requestId: question.requestId, name, input, ...(isDescription && { isDescription }) };
    return { events: [...events, { type: "permission-request", ...asked, id: callId }], asks: [asked] };
  }

  /** The protocol has no field for a changed input, so that an answer with one denies the call. */
  answer(requestId: string, answer: PermissionAnswer): WireStep {
    const question = this.open.get(requestId);
    if (question === undefined) return NO_STEP;
    this.open.delete(requestId);
    const isAllowed = answer.behavior === "allow" && isUnchanged(answer.updatedInput, question.input);
    const option = question.options.find(({ kind }) => kind === (isAllowed ? "allow_once" : "reject_once"));
    const optionId = stringOf(option?.["optionId"]);
    const outcome = optionId === undefined ? CANCELLED : { outcome: { outcome: "selected", optionId } };
    const { callId, name, input } = question;
    const denied = isAllowed && optionId !== undefined ? [] : [{ type: "permission-denied", id: callId, name, input } as const];
    const unchanged = answer.behavior === "allow" && !isAllowed ? [UNCHANGEABLE] : [];
    return { events: [...unchanged, ...denied], send: [rpcAnswer(question.id, outcome)] };
  }

  /** The answers to all open requests of a turn that is interrupted. */
  withdraw(): readonly Send[] {
    const sends = [...this.open.values()].map(({ id }) => rpcAnswer(id, CANCELLED));
    this.open.clear();
    return sends;
  }
}

const UNCHANGEABLE: EventDraft = {
  type: "warning",
  code: "input-unchangeable",
  message: "The CLI cannot change the input of a tool, so the tool does not run.",
};

const CANCELLED = { outcome: { outcome: "cancelled" } };

function isUnchanged(updated: JsonValue | undefined, input: JsonValue): boolean {
  return updated === undefined || JSON.stringify(updated) === JSON.stringify(input);
}
