import { checkNames, type Fields } from "../../spec/fields.ts";
import { type JsonObject, type JsonValue, nativeText, objectOf, stringOf } from "../../spec/json.ts";
import type { PromptRequest } from "../../spec/request.ts";
import type { Connection, RoutedValue, Send, TurnEnd, TurnKey, Unanswered, Wire, WireTurn } from "../../spec/wire/wire.ts";
import { rpcAnswer, rpcRequest, rpcUnknownMethod } from "../kit/lines.ts";
import { SpareSession, type TakenSpare } from "../kit/spare-session.ts";
import type { AcpCli, RpcError } from "./acp-cli.ts";
import { type AcpLink, AcpTurn, otherVersion, VERSION } from "./acp-turn.ts";

/** What holds for an agent of which nothing else is known. */
const ORDINARY: AcpCli = { turnsAtOnce: 1, turnsPerProcess: 100, loads: false, endOf: endByError };

const DIFFERENCES: Fields<AcpCli> = {
  ...({
    turnsAtOnce: true,
    turnsPerProcess: true,
    session: true,
    prompt: true,
    closes: true,
    loads: true,
    toolName: true,
  } as const),
  ...({ inputOf: true, countsIn: true, countsOf: true, faultOf: true, endOf: true, faultKinds: true } as const),
};

/** The wire of a CLI that speaks the Agent Client Protocol: each stateless request has its own session. */
export function acpWire(differences: Partial<AcpCli> = {}): Wire {
  checkNames("acpWire", differences, DIFFERENCES);
  const cli = { ...ORDINARY, ...differences };
  return {
    framing: "stream-json",
    protocol: "acp",
    turnsAtOnce: cli.turnsAtOnce,
    preparation: { settingsOf: (request) => spareSettings(cli, request), bindsToSettings: () => false },
    connect: (place) => new AcpConnection(cli, place?.directory ?? "/"),
  };
}

/** The number of the error is its kind, such as -32000, which asks for a login; some CLIs put an HTTP status there. */
function endByError({ code, message, details, request, event }: RpcError): TurnEnd {
  const words = details === undefined ? message : `${message}: ${details}`;
  const status = code >= 400 && code < 600 ? { status: code } : {};
  const told = ABOUT_REQUEST.has(code) ? `${request.method} (${request.parameters.join(", ")}): ${words}` : words;
  return { finish: "error", fault: { kind: String(code), ...status, message: told, event } };
}

/** The numbers of JSON-RPC for an invalid request, an unknown method and invalid parameters: the words alone do not say of which request. */
const ABOUT_REQUEST: ReadonlySet<number> = new Set([-32600, -32601, -32602]);

/** Coxswain reads and writes no files and runs no commands for the CLI. */
const CAPABILITIES = { fs: { readTextFile: false, writeTextFile: false }, terminal: false };

/** The parameters of a session that is opened before its prompt is known; undefined for a request that chooses a session. */
function spareSettings(cli: AcpCli, request: PromptRequest): JsonObject | undefined {
  return request.session === undefined ? (cli.session?.({ ...request, prompt: "" }) ?? {}) : undefined;
}

/** The exchange with one process: the handshake, the numbers of requests, and which turn has which session. */
class AcpConnection implements Connection, AcpLink {
  private readonly directory: string;
  private readonly cli: AcpCli;
  private lastId = 0;
  private handshake: "open" | "done" | "failed" = "open";
  /** The first value before the end of the handshake that is no message of the protocol. */
  private strange: string | undefined;
  /** Turns that begin when the handshake is over. */
  private waiting: TurnKey[] = [];
  /** The turns that wait for an answer, by the number of their request. */
  private readonly asking = new Map<JsonValue, TurnKey>();
  /** The sessions with an open turn, and those that a later turn may continue. */
  private readonly busy = new Map<string, TurnKey>();
  private readonly kept = new Set<string>();
  /** The sessions that turns have used, and those that were closed unused. */
  private turns = 0;
  private readonly spare = new SpareSession((sessionId) => this.closeUnused(sessionId));
  /** The request that the process is prepared for when the handshake is over. */
  private expected: PromptRequest | undefined;

  constructor(cli: AcpCli, directory: string) {
    this.cli = cli;
    this.directory = directory;
  }

  open(): readonly Send[] {
    this.lastId = 1;
    const clientInfo = { name: "coxswain", version: "1" };
    return [rpcRequest(1, "initialize", { protocolVersion: VERSION, clientCapabilities: CAPABILITIES, clientInfo })];
  }

  start(turn: TurnKey, request: PromptRequest): WireTurn {
    this.turns += 1;
    return new AcpTurn(turn, request, this.cli, this);
  }

  readonly takes = ({ session }: PromptRequest): boolean => {
    if (this.isSpent()) return false;
    if (session === undefined || "keep" in session) return true;
    return "resume" in session && !this.busy.has(session.resume) && (this.kept.has(session.resume) || this.cli.loads);
  };

  readonly holds = (session: string): boolean => this.kept.has(session);

  readonly isSpent = (): boolean => this.handshake === "failed" || this.turns >= this.cli.turnsPerProcess;

  readonly prepare = (request: PromptRequest): readonly Send[] => {
    if (this.handshake === "open") this.expected = request;
    if (this.handshake !== "done") return [];
    const settings = spareSettings(this.cli, request);
    return this.spare.prepare(settings, () => {
      const send = this.request(undefined, "session/new", this.sessionParameters(settings));
      return { call: this.lastId, send };
    });
  };

  readonly isPrepared = (request?: PromptRequest): boolean =>
    request === undefined ? this.spare.exists() : this.spare.isFor(this.settingsOf(request));

  readonly route = (native: JsonValue): readonly RoutedValue[] => {
    const message = objectOf(native);
    if (this.handshake === "open" && message?.["method"] === undefined && message?.["id"] === undefined)
      this.strange ??= nativeText(native);
    if (message === undefined) return [];
    const id = message["id"];
    if (message["method"] === undefined) return this.routeAnswer(id ?? null, message);
    const turn = this.busy.get(stringOf(objectOf(message["params"])?.["sessionId"]) ?? "");
    const isQuestion = message["method"] === "session/request_permission";
    if (id === undefined) return message["method"] === "session/update" && turn !== undefined ? [{ turn, native }] : [];
    if (isQuestion && turn !== undefined) return [{ turn, native }];
    const send = [isQuestion ? rpcAnswer(id, { outcome: { outcome: "cancelled" } }) : rpcUnknownMethod(id)];
    return [turn === undefined ? { native, send } : { turn, native, send }];
  };

  /** Whether the turn must wait for the answer of the handshake, which it then gets. */
  mustWait(turn: TurnKey): boolean {
    if (this.handshake === "open") this.waiting.push(turn);
    return this.handshake === "open";
  }

  unanswered(): Unanswered | undefined {
    if (this.handshake !== "open") return undefined;
    const hint = "Check that its arguments start it as a server of the Agent Client Protocol.";
    return { request: "initialize", ...(this.strange !== undefined && { line: this.strange }), hint };
  }

  request(turn: TurnKey | undefined, method: string, params: JsonObject): Send {
    this.lastId += 1;
    if (turn !== undefined) this.asking.set(this.lastId, turn);
    return rpcRequest(this.lastId, method, params);
  }

  sessionParameters(settings: JsonObject | undefined): JsonObject {
    return { cwd: this.directory, mcpServers: [], ...settings };
  }

  takeSpare(turn: TurnKey, request: PromptRequest): TakenSpare | undefined {
    const taken = this.spare.take(this.settingsOf(request));
    if (taken !== undefined && "call" in taken) this.asking.set(taken.call, turn);
    return taken;
  }

  hasOpen(sessionId: string): boolean {
    return this.kept.has(sessionId);
  }

  useSession(turn: TurnKey, sessionId: string): void {
    this.busy.set(sessionId, turn);
  }

  leaveSession(sessionId: string, isKept: boolean): void {
    this.busy.delete(sessionId);
    if (isKept) this.kept.add(sessionId);
  }

  private routeAnswer(id: JsonValue, native: JsonObject): readonly RoutedValue[] {
    if (id === 1 && this.handshake === "open") {
      const isUsable = native["error"] === undefined && otherVersion(native) === undefined;
      this.handshake = isUsable ? "done" : "failed";
      const waiting = this.waiting.splice(0).map((turn) => ({ turn, native }));
      // A turn that waits opens its own session.
      if (waiting.length > 0 || this.expected === undefined || !isUsable) return waiting;
      return [{ native, send: this.prepare(this.expected) }];
    }
    const turn = this.asking.get(id);
    this.asking.delete(id);
    if (turn !== undefined) return [{ turn, native }];
    const sessionId = stringOf(objectOf(native["result"])?.["sessionId"]);
    const send = this.spare.readAnswer(id, sessionId);
    return send.length === 0 ? [] : [{ native, send }];
  }

  /** A CLI may need the prompt in the parameters of the session; such a turn finds no session that was opened before. */
  private settingsOf(request: PromptRequest): JsonObject | undefined {
    return request.session === undefined ? (this.cli.session?.(request) ?? {}) : undefined;
  }

  private closeUnused(sessionId: string): readonly Send[] {
    this.turns += 1;
    return this.cli.closes === undefined ? [] : [this.request(undefined, this.cli.closes, { sessionId })];
  }
}
