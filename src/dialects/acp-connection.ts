import type { JsonObject, JsonValue } from "../spec/json.ts";
import type { PromptRequest } from "../spec/request.ts";
import type { Connection, RoutedValue, Send, TurnKey, WireTurn } from "../spec/wire.ts";
import type { AcpCli } from "./acp-cli.ts";
import { type AcpLink, AcpTurn } from "./acp-turn.ts";
import { objectOf, stringOf } from "./json-access.ts";
import { rpcAnswer, rpcRequest, rpcUnknownMethod } from "./json-rpc.ts";

/** Coxswain reads and writes no files and runs no commands for the CLI. */
const CAPABILITIES = { fs: { readTextFile: false, writeTextFile: false }, terminal: false };

/** The exchange with one process: the handshake, the numbers of requests, and which turn has which session. */
export class AcpConnection implements Connection, AcpLink {
  readonly directory: string;
  private readonly cli: AcpCli;
  private lastId = 0;
  private handshake: "open" | "done" | "failed" = "open";
  /** Turns that begin when the handshake is over. */
  private waiting: TurnKey[] = [];
  /** The turns that wait for an answer, by the number of their request. */
  private readonly asking = new Map<JsonValue, TurnKey>();
  /** The sessions with an open turn, and those that a later turn may continue. */
  private readonly busy = new Map<string, TurnKey>();
  private readonly kept = new Set<string>();
  private turns = 0;

  constructor(cli: AcpCli, directory: string) {
    this.cli = cli;
    this.directory = directory;
  }

  open(): readonly Send[] {
    this.lastId = 1;
    const clientInfo = { name: "coxswain", version: "1" };
    return [rpcRequest(1, "initialize", { protocolVersion: 1, clientCapabilities: CAPABILITIES, clientInfo })];
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

  readonly route = (native: JsonValue): readonly RoutedValue[] => {
    const message = objectOf(native);
    if (message === undefined) return [];
    const id = message["id"];
    if (message["method"] === undefined) return this.routeAnswer(id ?? null, message);
    const turn = this.busy.get(stringOf(objectOf(message["params"])?.["sessionId"]) ?? "");
    const isQuestion = message["method"] === "session/request_permission";
    if (id === undefined) return message["method"] === "session/update" && turn !== undefined ? [{ turn, native }] : [];
    if (isQuestion && turn !== undefined) return [{ turn, native }];
    return [{ native, send: [isQuestion ? rpcAnswer(id, { outcome: { outcome: "cancelled" } }) : rpcUnknownMethod(id)] }];
  };

  /** Whether the turn must wait for the answer of the handshake, which it then gets. */
  mustWait(turn: TurnKey): boolean {
    if (this.handshake === "open") this.waiting.push(turn);
    return this.handshake === "open";
  }

  request(turn: TurnKey | undefined, method: string, params: JsonObject): Send {
    this.lastId += 1;
    if (turn !== undefined) this.asking.set(this.lastId, turn);
    return rpcRequest(this.lastId, method, params);
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
      this.handshake = native["error"] === undefined ? "done" : "failed";
      return this.waiting.splice(0).map((turn) => ({ turn, native }));
    }
    const turn = this.asking.get(id);
    this.asking.delete(id);
    return turn === undefined ? [] : [{ turn, native }];
  }
}
