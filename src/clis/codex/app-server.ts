import { sendLine } from "../../dialects/kit/lines.ts";
import { SpareSession, type TakenSpare } from "../../dialects/kit/spare-session.ts";
import { resumedBy } from "../../spec/fields.ts";
import { type JsonObject, type JsonValue, objectOf, stringOf } from "../../spec/json.ts";
import type { PromptRequest } from "../../spec/request.ts";
import type { Connection, Place, RoutedValue, Send, TurnKey, Wire, WireTurn } from "../../spec/wire/wire.ts";
import { isApproval, isHostCall } from "./app-server-asks.ts";
import { type RpcCall, spareSettings, startThread } from "./app-server-settings.ts";
import { AppServerTurn } from "./app-server-turn.ts";

/** The wire of `codex app-server`: JSON-RPC lines, many threads in one process; docs/dialects/codex.md has the rules. */
export const codexAppServer: Wire = {
  framing: "stream-json",
  turnsAtOnce: 16,
  countsSteps: "tokens",
  preparation: { settingsOf: spareSettings, bindsToSettings: () => false },
  connect: (place) => new AppServer(place),
};

/** Notifications that no turn reads; Codex then does not send them. */
const UNREAD: readonly string[] = [
  ...["thread/started", "thread/status/changed", "thread/readState/changed", "turn/started", "turn/diff/updated"],
  ...["account/rateLimits/updated", "remoteControl/status/changed", "configWarning"],
];

const HELLO: JsonObject = {
  clientInfo: { name: "coxswain", title: "Coxswain", version: "1" },
  capabilities: { experimentalApi: true, requestAttestation: false, optOutNotificationMethods: [...UNREAD] },
};

type OpenCall = { readonly turn?: TurnKey; readonly method: string; readonly threadId?: string };

class AppServer implements Connection {
  private readonly directory: string | undefined;
  private calls = 0;
  private readonly openCalls = new Map<JsonValue | undefined, OpenCall>();
  /** The turns of the threads that are used now. */
  private readonly turns = new Map<string, TurnKey>();
  /** The model in the settings of the process, once Codex has told it. */
  private model: string | undefined;
  /** The threads that are being unloaded. */
  private readonly closing = new Set<string>();
  private readonly spare = new SpareSession((threadId) => this.unload(threadId));

  constructor(place: Place | undefined) {
    this.directory = place?.directory;
  }

  /** Codex reads its input in order, so requests may follow the handshake at once. */
  open(): readonly Send[] {
    return [this.call({ method: "initialize", params: HELLO }, {}), sendLine({ method: "initialized" })];
  }

  start(turn: TurnKey, request: PromptRequest): WireTurn {
    const resumed = resumedOf(request);
    if (resumed !== undefined) this.turns.set(resumed, turn);
    return inThread(
      new AppServerTurn(request, {
        directory: this.directory,
        call: (call) => this.call(call, { turn }),
        end: (threadId) => this.endTurn(turn, threadId),
        isClosing: (threadId) => this.closing.has(threadId.toLowerCase()),
        // The settings of a completion are arguments of the process; those of an agent are in a file that its user may change.
        model: () => (request.mode === "agent" ? undefined : this.model),
        takeSpare: () => this.takeSpare(turn, request),
      }),
    );
  }

  prepare(request: PromptRequest): readonly Send[] {
    return this.spare.prepare(spareSettings(request), () => {
      const send = this.call(startThread(request, this.directory), {});
      return { call: this.calls, send };
    });
  }

  isPrepared(request?: PromptRequest): boolean {
    return request === undefined ? this.spare.exists() : this.spare.isFor(spareSettings(request));
  }

  /** A second `turn/start` on a thread would not begin a turn: its text would be added to the running one. */
  takes(request: PromptRequest): boolean {
    const resumed = resumedOf(request);
    return resumed === undefined || !this.turns.has(resumed);
  }

  route(native: JsonValue): readonly RoutedValue[] {
    const message = objectOf(native) ?? {};
    const threadId = stringOf(objectOf(message["params"])?.["threadId"]) ?? "";
    if (message["method"] === undefined) return this.routeReply(message);
    if (message["method"] === "thread/closed") {
      this.closing.delete(threadId);
      this.spare.sawClosed(threadId);
    }
    const turn = this.turns.get(threadId);
    if (message["id"] !== undefined && (turn === undefined || !(isApproval(message) || isHostCall(message))))
      return [refuse(message)];
    return turn === undefined ? [] : [{ turn, native }];
  }

  private routeReply(message: JsonObject): readonly RoutedValue[] {
    const open = this.openCalls.get(message["id"]);
    if (open === undefined) return [];
    this.openCalls.delete(message["id"]);
    const { turn, method, threadId } = open;
    const result = objectOf(message["result"]);
    // A thread that was not loaded any more is closed already, and no notification follows.
    if (threadId !== undefined && result?.["status"] !== "unsubscribed" && this.closing.has(threadId))
      return this.route({ method: "thread/closed", params: { threadId } });
    if (method === "config/read") this.model = stringOf(objectOf(result?.["config"])?.["model"]);
    const loaded = stringOf(objectOf(result?.["thread"])?.["id"]);
    const send = turn === undefined ? this.spare.readAnswer(message["id"], loaded) : [];
    if (turn === undefined) return send.length === 0 ? [] : [{ native: message, send }];
    if (loaded !== undefined) this.turns.set(loaded, turn);
    return [{ turn, native: { ...message, replyTo: method } }];
  }

  private call({ method, params }: RpcCall, about: Omit<OpenCall, "method">): Send {
    this.calls += 1;
    this.openCalls.set(this.calls, { ...about, method });
    return sendLine({ id: this.calls, method, params });
  }

  private endTurn(turn: TurnKey, threadId: string | undefined): readonly Send[] {
    for (const [thread, of] of this.turns) if (of === turn) this.turns.delete(thread);
    return threadId === undefined ? [] : this.unload(threadId);
  }

  private unload(threadId: string): readonly Send[] {
    this.closing.add(threadId);
    return [this.call({ method: "thread/unsubscribe", params: { threadId } }, { threadId })];
  }

  private takeSpare(turn: TurnKey, request: PromptRequest): TakenSpare | undefined {
    const taken = this.spare.take(spareSettings(request));
    if (taken === undefined) return undefined;
    if ("sessionId" in taken) this.turns.set(taken.sessionId, turn);
    else this.openCalls.set(taken.call, { turn, method: "thread/start" });
    return taken;
  }
}

/** The turns of one conversation: each has a state of its own, and all share the thread of the first. */
function inThread(first: AppServerTurn): WireTurn {
  let turn = first;
  return {
    begin: () => turn.begin(),
    step: (native) => turn.step(native),
    answer: (requestId, answer) => turn.answer(requestId, answer),
    park: () => turn.park(),
    spent: () => {
      const { usage } = turn.usage.ofTurn();
      return usage && { type: "usage", usage };
    },
    goOn: (request) => {
      turn = turn.next(request);
      return turn.begin();
    },
    leave: () => turn.leave(),
    interrupt: () => turn.interrupt(),
    finish: (exit) => turn.finish(exit),
  };
}

/** Codex waits for the answer to each of its requests; those that no turn can answer get an error. */
function refuse(message: JsonObject): RoutedValue {
  const error = { code: -32601, message: "Coxswain does not answer this request." };
  return { native: message, send: [sendLine({ id: message["id"] ?? null, error })] };
}

function resumedOf(request: PromptRequest): string | undefined {
  return resumedBy(request)?.toLowerCase();
}
