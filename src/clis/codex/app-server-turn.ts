import type { TakenSpare } from "../../dialects/kit/spare-session.ts";
import { resumedBy } from "../../spec/fields.ts";
import { type JsonObject, type JsonValue, objectOf, stringOf } from "../../spec/json.ts";
import type { PromptRequest } from "../../spec/request.ts";
import type { HostAnswer } from "../../spec/stream.ts";
import { NO_STEP } from "../../spec/wire/define-wire.ts";
import type { EventDraft } from "../../spec/wire/events.ts";
import type { ExitReport, Send, WireStep, WireTurn } from "../../spec/wire/wire.ts";
import { CodexHostTools, isApproval, TurnQuestions } from "./app-server-asks.ts";
import { explainDenial, injectHistory, type RpcCall, resumeThread, startThread, startTurn } from "./app-server-settings.ts";
import { completeTurn, failTurn, readOwnRetry, readTurnError, retryText, withUsage } from "./turn-end.ts";
import { TurnItems } from "./turn-items.ts";
import { TurnUsage } from "./usage.ts";

export type TurnLink = {
  /** The directory in which the process was started. */
  readonly directory: string | undefined;
  /** Sends a request; its reply comes back to the turn with the method in `replyTo`. */
  call(call: RpcCall): Send;
  /** Ends the turn: its thread is unloaded, if it was loaded. */
  end(threadId: string | undefined): readonly Send[];
  /** True if the thread is being unloaded; the turn then gets its `thread/closed`. */
  isClosing(threadId: string): boolean;
  /** The model of the process, if Codex has told it before and it cannot have changed. */
  model(): string | undefined;
  /** A thread that was started for a turn like this one; a reply that is still missing comes to the turn. */
  takeSpare(): TakenSpare | undefined;
};

/** A text that changes nothing: a turn that has not begun cannot be interrupted, and its end is still awaited. */
const NOTHING: Send = { text: "" };

const INTERRUPTED: WireStep = failTurn({ message: "Codex interrupted the turn." });

/** One turn of `codex app-server`, on a thread of its own; docs/dialects/codex.md has the rules. */
export class AppServerTurn implements WireTurn {
  private readonly request: PromptRequest;
  private readonly link: TurnLink;
  private readonly items: TurnItems;
  private readonly questions = new TurnQuestions();
  private readonly hostTools: CodexHostTools;
  readonly usage: TurnUsage = new TurnUsage();
  private readonly counts = { networkWaits: 0 };
  private readonly warned = new Set<string>();
  private readonly openThread: string | undefined;
  private threadId: string | undefined;
  private turnId: string | undefined;
  private lastError: string | undefined;
  private isInterrupted = false;

  /** `openThread` is the thread of the turn before, if this one continues its conversation. */
  constructor(request: PromptRequest, link: TurnLink, openThread?: string) {
    this.request = request;
    this.link = link;
    this.openThread = openThread;
    this.hostTools = new CodexHostTools(request.nativeTools ?? []);
    this.items = new TurnItems(request.mode === "agent" ? (request.permissions?.mode ?? "default") : undefined);
  }

  begin(): WireStep {
    if (this.openThread !== undefined) return this.enter(this.openThread);
    const resumed = resumedBy(this.request);
    if (resumed === undefined) return this.begins();
    return this.link.isClosing(resumed) ? NO_STEP : this.askModel();
  }

  step(native: JsonValue): WireStep {
    const message = objectOf(native) ?? {};
    const params = objectOf(message["params"]) ?? {};
    if (message["replyTo"] !== undefined) return this.readReply(message);
    switch (message["method"]) {
      case "thread/closed":
        return this.threadId !== undefined ? NO_STEP : this.isInterrupted ? INTERRUPTED : this.askModel();
      case "item/agentMessage/delta":
        return { events: this.items.addText(itemOf(params), stringOf(params["delta"]) ?? "") };
      case "item/reasoning/summaryTextDelta":
        return { events: this.items.addReasoning(itemOf(params), stringOf(params["delta"]) ?? "") };
      case "item/reasoning/summaryPartAdded":
        return { events: this.items.nextReasoning(itemOf(params)) };
      case "item/started":
      case "item/completed":
        return { events: this.readItem(params, message["method"] === "item/completed") };
      case "item/tool/call":
        return this.hostTools.ask(message);
      case "rawResponseItem/completed":
        return { events: this.readRaw(params) };
      case "rawResponse/completed":
        this.usage.sawResponse(objectOf(params["usage"]) ?? {});
        return this.hostTools.sawResponse();
      case "thread/tokenUsage/updated":
        return this.readUsage(params);
      case "error":
        return this.readError(params);
      case "warning":
        return this.warn(stringOf(params["message"]) ?? "");
      case "turn/completed":
        return this.completeTurn(params);
      default:
        return isApproval(message) ? this.questions.ask(message, (id) => this.items.toolOf(id)) : readOther(message);
    }
  }

  answer(requestId: string, answer: HostAnswer): WireStep {
    if (!("behavior" in answer)) return this.hostTools.answer(requestId, answer);
    const step = this.questions.answer(requestId, answer);
    const why = answer.behavior === "deny" ? explainDenial(answer.message, this.threadId, this.turnId) : undefined;
    return why === undefined ? step : { ...step, send: [this.link.call(why), ...(step.send ?? [])] };
  }

  park(): WireStep {
    return this.usage.requests.park();
  }

  /** The turn that continues the conversation of this one. */
  next(request: PromptRequest): AppServerTurn {
    return new AppServerTurn(request, this.link, this.threadId);
  }

  /** A thread is unloaded after its last turn: a loaded thread takes memory, and no other process can write to it. */
  leave(): readonly Send[] {
    return this.link.end(this.threadId);
  }

  interrupt(): WireStep {
    this.isInterrupted = true;
    return { events: [], send: [this.interruption() ?? NOTHING] };
  }

  finish(exit: ExitReport): WireStep {
    if (this.lastError === undefined || exit.signal !== undefined) return NO_STEP;
    return failTurn({ message: this.lastError });
  }

  private begins(): WireStep {
    const spare = this.link.takeSpare();
    if (spare === undefined) return this.call(startThread(this.request, this.link.directory));
    return "call" in spare ? NO_STEP : this.enter(spare.sessionId);
  }

  private call(call: RpcCall): WireStep {
    return { events: [], send: [this.link.call(call)] };
  }

  /** A resumed thread needs the model in its request, and the wire does not know it: it is an argument of the process. */
  private askModel(): WireStep {
    const known = this.link.model();
    if (known !== undefined) return this.resume(known);
    return this.call({ method: "config/read", params: { includeLayers: false } });
  }

  private interruption(): Send | undefined {
    const { threadId, turnId } = this;
    if (threadId === undefined || turnId === undefined) return undefined;
    return this.link.call({ method: "turn/interrupt", params: { threadId, turnId } });
  }

  private readReply(message: JsonObject): WireStep {
    const [method, result] = [message["replyTo"], objectOf(message["result"])];
    if (method === "turn/interrupt" || method === "turn/steer") return NO_STEP;
    const error = objectOf(message["error"]);
    if (error !== undefined) return failTurn({ message: stringOf(error["message"]) ?? "The request failed.", event: message });
    if (method === "turn/start") {
      this.turnId = stringOf(objectOf(result?.["turn"])?.["id"]);
      return this.isInterrupted ? { events: [], send: [this.interruption() ?? NOTHING] } : NO_STEP;
    }
    if (method === "thread/inject_items")
      return this.isInterrupted ? INTERRUPTED : this.call(startTurn(this.request, this.threadId ?? ""));
    if (method === "config/read") return this.resume(stringOf(objectOf(result?.["config"])?.["model"]));
    return this.enter(stringOf(objectOf(result?.["thread"])?.["id"]) ?? "");
  }

  private resume(model: string | undefined): WireStep {
    if (this.isInterrupted) return INTERRUPTED;
    return this.call(resumeThread(this.request, this.link.directory, resumedBy(this.request) ?? "", model));
  }

  /** Called when the thread is loaded. */
  private enter(sessionId: string): WireStep {
    this.threadId = sessionId;
    if (this.isInterrupted) return INTERRUPTED;
    const call = injectHistory(this.request, sessionId) ?? startTurn(this.request, sessionId);
    return { events: [{ type: "session-start", sessionId }], send: [this.link.call(call)] };
  }

  private readItem(params: JsonObject, isComplete: boolean): readonly EventDraft[] {
    return this.hostTools.read(objectOf(params["item"]) ?? {}, isComplete) ?? this.items.read(params, isComplete);
  }

  /** Codex also reports the items of the history that it was given; they belong to another turn. */
  private readRaw(params: JsonObject): readonly EventDraft[] {
    const isOther = params["turnId"] !== undefined && params["turnId"] !== this.turnId;
    return isOther ? [] : this.hostTools.readRaw(objectOf(params["item"]) ?? {});
  }

  private readUsage(params: JsonObject): WireStep {
    // A resumed thread reports the totals of its earlier turn first.
    if (params["turnId"] === this.turnId) this.usage.read(objectOf(params["tokenUsage"]) ?? {});
    return NO_STEP;
  }

  private readError(params: JsonObject): WireStep {
    const error = objectOf(params["error"]);
    const fault = readTurnError(error, params);
    const retry = readOwnRetry(this.counts, retryText(error), fault.status);
    if (retry !== undefined) return { events: [...this.items.retry(), retry] };
    this.lastError = fault.message;
    return NO_STEP;
  }

  private warn(message: string): WireStep {
    if (this.warned.has(message)) return NO_STEP;
    this.warned.add(message);
    return { events: [{ type: "warning", code: "cli-warning", message }] };
  }

  private completeTurn(params: JsonObject): WireStep {
    const turn = objectOf(params["turn"]) ?? {};
    const counted = this.usage.ofTurn();
    if (turn["status"] === "failed") return withUsage(failTurn(readTurnError(objectOf(turn["error"]), turn)), counted);
    if (turn["status"] === "interrupted") return withUsage(INTERRUPTED, counted);
    return completeTurn(this.items.lastMessage, this.request.outputSchema !== undefined, counted);
  }
}

/** Notifications that add nothing to the events. */
const SILENT: readonly string[] = [
  ...["serverRequest/resolved", "item/commandExecution/terminalInteraction", "item/reasoning/textDelta", "item/plan/delta"],
  ...["item/fileChange/patchUpdated", "item/mcpToolCall/progress", "turn/plan/updated", "thread/name/updated"],
];

function readOther(message: JsonObject): WireStep {
  const method = stringOf(message["method"]) ?? "";
  const params = objectOf(message["params"]) ?? {};
  if (method === "item/commandExecution/outputDelta")
    return { events: [{ type: "tool-output-delta", id: itemOf(params), delta: stringOf(params["delta"]) ?? "" }] };
  return SILENT.includes(method) ? NO_STEP : { events: [{ type: "native", value: message }] };
}

function itemOf(params: JsonObject): string {
  return stringOf(params["itemId"]) ?? "";
}
